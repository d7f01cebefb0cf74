-- Deliveries of suppliers are copies here; grants to wards are our own. A partly received document is under way as a
-- whole.
select
  d.kind as document_kind,
  d.sn as document_sn,
  coalesce(o.name, w.name) as from_name,
  coalesce(t.name, e.name, '—') as to_name,
  d.total_quantity::numeric(18, 3) as quantity,
  floor(
    extract(
      epoch
      from
        posting_now () - coalesce(d.reviewed_at, d.created_at)
    ) / 3600
  )::int as hours
from
  document d
  left join organisation o on d.role = 'counterparty'
  and o.id = d.counterparty_id
  left join warehouse w on d.role = 'own'
  and w.org_id = :organisation
  and w.id = d.warehouse_id
  left join warehouse t on t.org_id = :organisation
  and t.id = coalesce(
    d.to_warehouse_id,
    case
      when d.role = 'counterparty' then d.warehouse_id
    end
  ) {{ department_if_any(d.department_id) }}
  left join {{ own(line_progress, g, document_id = d.id, line_no = 0, purpose = 'ward_receive') }}
where
  d.org_id = :organisation
  and d.kind = any (string_to_array(:kinds, ','))
  and (
    {{ adds(d.kind, shipped) }}
    and d.role = 'counterparty'
    and d.state in ('reviewed', 'partial')
    or {{ adds(d.kind, granted) }}
    and d.role = 'own'
    and d.red_of_id is null
    and d.state in ('reviewed', 'partial')
    and coalesce(g.taken, 0) < d.total_quantity
  )
  and coalesce(d.reviewed_at, d.created_at) < posting_now () - make_interval(hours => (:least_hours)::int)
  and {{ warehouse_scope(d.warehouse_id) }}
  and {{ department_scope(d.department_id) }}
order by
  coalesce(d.reviewed_at, d.created_at),
  d.sn
