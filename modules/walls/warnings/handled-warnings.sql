select
  1 as raised,
  (least(w.handled_at, w.closed_at) <= w.first_at + interval '7 days')::int as handled
from
  warning w
where
  w.org_id = :organisation
  and {{ during(w.first_at) }}
  and {{ warehouse_scope(w.warehouse_id) }}
  and {{ department_scope(w.department_id) }}
