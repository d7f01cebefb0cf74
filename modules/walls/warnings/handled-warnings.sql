select
  1 as raised,
  (least(w.handled_at, w.closed_at) <= w.first_at + interval '7 days')::int as handled
from
  warning w
where
  w.org_id = :organisation
  and w.first_at >= :begin_date::timestamp at time zone 'Asia/Shanghai'
  and w.first_at < (:end_date + 1)::timestamp at time zone 'Asia/Shanghai'
  and {{ warehouse_scope(w.warehouse_id) }}
  and {{ department_scope(w.department_id) }}
