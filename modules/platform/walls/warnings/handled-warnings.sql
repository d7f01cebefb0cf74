select
  {{ columns_of(w, category, object_name, code) }},
  h.name as warehouse_name,
  w.first_at,
  least(w.handled_at, w.closed_at) as settled_at,
  w.state,
  1 as raised,
  (least(w.handled_at, w.closed_at) <= w.first_at + interval '7 days')::int as handled
from
  warning w
  left join warehouse h on h.org_id = w.org_id
  and h.id = w.warehouse_id
where
  w.org_id = :organisation
  and {{ during(w.first_at) }}
  and {{ warehouse_scope(w.warehouse_id) }}
  and {{ department_scope(w.department_id) }}
order by
  w.first_at desc,
  w.object_name
