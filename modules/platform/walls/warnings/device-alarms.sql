-- Alarms of devices that nobody settled: cold storage out of its limits, cabinets without a heartbeat, doors left open.
select
  e.last_at,
  e.error_kind as alarm,
  e.object as object_name,
  w.name as place,
  e.description,
  1 as alarms
from
  error_record e {{ store_if_any(e.warehouse_id) }}
where
  e.org_id = :organisation
  and e.error_kind in ('climate', 'offline', 'door')
  and e.state in ('waiting', 'working')
  and {{ warehouse_scope(e.warehouse_id) }}
  and {{ department_scope(w.department_id) }}
order by
  e.last_at desc,
  e.id desc
