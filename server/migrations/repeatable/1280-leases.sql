-- The stock in leased warehouses. A place belongs to the area whose name it begins with.
create view lease_stock with (security_invoker = true) as
select
  b.org_id,
  concat_ws('-', b.warehouse_id, b.specification_id, b.lot_id, b.owner_id, b.quality_state, b.location) as id,
  b.warehouse_id,
  split_part(b.location, '-', 1) as area_code,
  b.location,
  b.owner_id,
  b.specification_id,
  b.lot_id,
  l.lot_no,
  k.expiry_date,
  b.quality_state,
  b.quantity,
  1 as version
from stock_balance b
join warehouse w on w.org_id = b.org_id
  and w.id = b.warehouse_id
  and w.model = 'leased'
join lot l on l.id = b.lot_id
left join stock_lot k on k.org_id = b.org_id
  and k.lot_id = b.lot_id
where b.quantity > 0
  and b.owner_id <> b.org_id;
grant select on lease_stock to :app_role;

-- The areas that an organisation knows: those it lets, and those that are let to it.
create view known_lease_area with (security_invoker = true) as
select
  a.org_id, a.id, a.warehouse_id, w.name as store_name, a.code, a.name, a.area_kind, a.storage_condition,
  a.temperature_min, a.temperature_max, a.humidity_min, a.humidity_max, a.area_m2, a.month_rent, a.sensor_no,
  a.keeper_id, a.remark, false as is_rented, a.status, a.version
from lease_area a
join warehouse w on w.org_id = a.org_id
  and w.id = a.warehouse_id
union all
select
  r.org_id, r.id, null, r.warehouse_name, r.area_code, r.area_name, r.area_kind, r.storage_condition,
  r.temperature_min, r.temperature_max, r.humidity_min, r.humidity_max, r.area_m2, null, null,
  null, null, true, 'enabled', r.version
from rented_area r
where r.contract_state in ('running', 'ending');
grant select on known_lease_area to :app_role;
