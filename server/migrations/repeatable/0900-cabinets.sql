-- The stock of cabinets, with the door behind which it is: a balance belongs to the slot at its location, else to the
-- first slot of its cabinet that holds its specification.
create view cabinet_stock with (security_invoker = true) as
select
  b.org_id, b.id, c.id as cabinet_id, p.door_id, p.door_no, p.slot_id, p.location as slot, p.lower_limit,
  p.upper_limit, b.warehouse_id, b.department_id, b.location, b.specification_id, b.product_id, b.lot_id, b.lot_no,
  b.production_date, b.expiry_date, b.owner_org_id as owner_id, b.quality_state, b.quantity, b.reserved
from stock_on_hand b
join cabinet c on c.org_id = b.org_id and c.warehouse_id = b.warehouse_id
left join lateral (
  select d.id as door_id, d.door_no, s.id as slot_id, s.location, s.lower_limit, s.upper_limit
  from cabinet_slot s
  join cabinet_door d on d.org_id = s.org_id and d.id = s.door_id
  where s.org_id = b.org_id
    and s.specification_id = b.specification_id
    and d.cabinet_id = c.id
    and s.status = 'enabled'
  order by s.location = b.location desc, d.door_no, s.layer, s.slot_no
  limit 1
) p on true;
grant select on cabinet_stock to :app_role;
