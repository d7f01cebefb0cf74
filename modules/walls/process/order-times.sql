select
  (b.reviewed_at at time zone 'Asia/Shanghai')::date as day,
  extract(
    epoch
    from
      b.reviewed_at - o.reviewed_at
  ) / 3600 as hours
from
  document b
  join lateral (
    select distinct
      l.order_document_id
    from
      document_line l
    where
      l.org_id = :organisation
      and l.document_id = b.id
      and l.order_document_id is not null
  ) l on true
  join document o on o.org_id = :organisation
  and o.id = l.order_document_id
where
  b.org_id = :organisation
  and b.kind = 'purchaseGrn'
  and b.role = 'own'
  and b.red_of_id is null
  and b.state in ('reviewed', 'partial', 'completed', 'reversed')
  and b.reviewed_at >= :begin_date::timestamp at time zone 'Asia/Shanghai'
  and b.reviewed_at < (:end_date + 1)::timestamp at time zone 'Asia/Shanghai'
  and o.reviewed_at is not null
  and {{ warehouse_scope(b.warehouse_id) }}
  and {{ department_scope(b.department_id) }}
