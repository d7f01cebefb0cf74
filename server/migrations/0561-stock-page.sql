-- The stock of a house is read in the order of its goods, a page at a time: nothing but the balances themselves says how many rows there
-- are, and names are fetched for the rows of the page. An inner join to the store made the plan fetch and sort them all.
create index stock_balance_goods on stock_balance (org_id, specification_id) include (warehouse_id) where quantity > 0;

create or replace view stock_on_hand with (security_invoker = true) as
select b.org_id, concat_ws('-', b.warehouse_id, b.specification_id, b.lot_id, b.owner_id, b.quality_state, b.location) as id,
       b.warehouse_id, w.model as warehouse_model, w.department_id, b.location, b.specification_id, s.product_id, b.lot_id, l.lot_no, k.production_date, k.expiry_date,
       b.owner_id as owner_org_id, b.quality_state, b.quantity, b.value,
       (select coalesce(sum(r.quantity), 0) from reservation r
         where r.org_id = b.org_id and r.warehouse_id = b.warehouse_id and r.specification_id = b.specification_id and r.lot_id = b.lot_id
           and r.location = b.location and r.owner_id = b.owner_id and r.quality_state = b.quality_state)::numeric(18,3) as reserved,
       null::bigint as customer_id
  from stock_balance b
  left join warehouse w on w.org_id = b.org_id and w.id = b.warehouse_id
  left join specification s on s.id = b.specification_id
  left join lot l on l.id = b.lot_id
  left join stock_lot k on k.org_id = b.org_id and k.lot_id = b.lot_id
 where b.quantity > 0 and not exists (select 1 from warehouse c where c.org_id = b.org_id and c.id = b.warehouse_id and c.model = 'consumed');
