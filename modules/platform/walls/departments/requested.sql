select
  {{ day_of(d.reviewed_at) }} as day,
  e.name as department_name,
  d.department_id::text as department_sn,
  l.base_quantity::numeric(18, 3) as requested,
  least(coalesce(g.taken, 0), l.base_quantity)::numeric(18, 3) as received,
  null::numeric as fill_rate
from
  document d {{ lines_of(d.id) }}
  left join {{ own(line_progress, g, document_id = d.id, line_no = l.line_no) }}
  and g.purpose = 'ward_receive' {{ department_if_any(d.department_id) }}
where
  d.org_id = :organisation
  and {{ feeds(d.kind, requested) }}
  and d.role = 'own'
  and d.state in ('reviewed', 'partial', 'completed', 'stopped')
  and {{ during(d.reviewed_at) }}
  and {{ warehouse_scope(d.warehouse_id) }}
  and {{ department_scope(d.department_id) }}
  and {{ asked(d.department_id, :department_inner_sn) }}
