-- Every place where goods of the house lie or goods lie in the house: its stores, on the way, and with customers on consignment.
create view stock_everywhere with (security_invoker = true) as
select b.org_id, b.id, b.org_id as keeper_org_id,
       case b.warehouse_model when 'central' then 'own' when 'virtual' then 'own' else b.warehouse_model end as place_kind,
       b.warehouse_id, b.department_id, b.specification_id, b.product_id, b.lot_id, b.lot_no, b.expiry_date, b.owner_org_id, b.quality_state, b.quantity
  from stock_on_hand b
union all
select e.org_id, e.id, e.customer_id, 'consigned_out', null, null, e.specification_id, e.product_id, e.lot_id, e.lot_no, e.expiry_date, e.owner_org_id, e.quality_state, e.quantity
  from stock_elsewhere e;
grant select on stock_everywhere to :app_role;
