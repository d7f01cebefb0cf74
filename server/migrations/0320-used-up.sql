-- Lots that lay in a store within the last year and of which nothing is left there: shown beside the stock by whoever asks for them.
create view stock_used_up with (security_invoker = true) as
select m.org_id, concat_ws('-', 'none', m.warehouse_id, m.specification_id, m.lot_id, m.owner_id) as id,
       m.warehouse_id, w.model as warehouse_model, w.department_id, ''::text as location, m.specification_id, s.product_id, m.lot_id, l.lot_no, k.production_date, k.expiry_date,
       m.owner_id as owner_org_id, 'qualified'::text as quality_state, 0::numeric(18,3) as quantity, 0::numeric(18,2) as value, 0::numeric(18,3) as reserved, null::bigint as customer_id
  from (select distinct org_id, warehouse_id, specification_id, lot_id, owner_id from stock_move where at > posting_now() - interval '1 year') m
  join warehouse w on w.org_id = m.org_id and w.id = m.warehouse_id and w.model not in ('consumed', 'transit')
  join specification s on s.id = m.specification_id
  join lot l on l.id = m.lot_id
  left join stock_lot k on k.org_id = m.org_id and k.lot_id = m.lot_id
 where not exists (select 1 from stock_balance b where b.org_id = m.org_id and b.warehouse_id = m.warehouse_id and b.specification_id = m.specification_id
                      and b.lot_id = m.lot_id and b.owner_id = m.owner_id and b.quantity > 0);
grant select on stock_used_up to :app_role;
