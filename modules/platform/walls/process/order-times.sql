select
  {{ day_of(b.reviewed_at) }} as day,
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
  join {{ own(document, o, id = l.order_document_id) }}
where
  b.org_id = :organisation
  and {{ counted(b, delivered) }}
  and b.red_of_id is null
  and {{ during(b.reviewed_at) }}
  and o.reviewed_at is not null
  and {{ warehouse_scope(b.warehouse_id) }}
  and {{ department_scope(b.department_id) }}
