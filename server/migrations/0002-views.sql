-- Who asked for a relation that waits for the other side's answer; null once it was agreed, or when nobody asked.
alter table org_relation add column applicant_id bigint;

-- The unit tree of every specification: its base unit is the root, under the specification's own id; each pack holds `measure` of its parent.
create view unit_tree with (security_invoker = true) as
select s.id, s.id as specification_id, null::bigint as parent_unit_id, s.unit_name as name, 1 as measure, 1 as base_measure, s.udi_di, s.version
  from specification s
 union all
select p.id, p.specification_id, coalesce(p.parent_id, p.specification_id), p.name, p.measure, p.base_measure, p.udi_di, p.version
  from pack_unit p;

-- What lies where now, by lot, owner and quality state, with the days of the lot and what other papers have reserved of it.
create view stock_on_hand with (security_invoker = true) as
select b.org_id, concat_ws('-', b.warehouse_id, b.specification_id, b.lot_id, b.owner_id, b.quality_state, b.location) as id,
       b.warehouse_id, w.model as warehouse_model, w.department_id, b.location, b.specification_id, s.product_id, b.lot_id, l.lot_no, k.production_date, k.expiry_date,
       b.owner_id as owner_org_id, b.quality_state, b.quantity, b.value,
       (select coalesce(sum(r.quantity), 0) from reservation r
         where r.org_id = b.org_id and r.warehouse_id = b.warehouse_id and r.specification_id = b.specification_id and r.lot_id = b.lot_id
           and r.location = b.location and r.owner_id = b.owner_id and r.quality_state = b.quality_state)::numeric(18,3) as reserved,
       null::bigint as customer_id
  from stock_balance b
  join warehouse w on w.org_id = b.org_id and w.id = b.warehouse_id
  join specification s on s.id = b.specification_id
  join lot l on l.id = b.lot_id
  left join stock_lot k on k.org_id = b.org_id and k.lot_id = b.lot_id
 where b.quantity > 0 and w.model <> 'consumed';

-- Own goods that lie with customers on consignment.
create view stock_elsewhere with (security_invoker = true) as
select c.org_id, concat_ws('-', 'out', c.customer_id, c.specification_id, c.lot_id) as id,
       null::bigint as warehouse_id, 'consigned_out' as warehouse_model, null::bigint as department_id, o.name as location, c.specification_id, s.product_id, c.lot_id, l.lot_no,
       k.production_date, k.expiry_date, c.org_id as owner_org_id, 'qualified' as quality_state, c.quantity, c.value, 0::numeric(18,3) as reserved, c.customer_id
  from consigned_out c
  join organisation o on o.id = c.customer_id
  join specification s on s.id = c.specification_id
  join lot l on l.id = c.lot_id
  left join stock_lot k on k.org_id = c.org_id and k.lot_id = c.lot_id
 where c.quantity > 0;

-- One row for each counterparty: what it owes us and what we owe it, by account.
create view account_summary with (security_invoker = true) as
select a.org_id, a.counterparty_id as id, a.counterparty_id,
       coalesce(sum(a.amount) filter (where a.account in ('receivable_unbilled', 'receivable_invoiced')), 0)::numeric(18,2) as receivable,
       coalesce(sum(a.amount) filter (where a.account = 'receivable_invoiced'), 0)::numeric(18,2) as receivable_invoiced,
       coalesce(sum(a.amount) filter (where a.account in ('payable_estimated', 'payable_invoiced')), 0)::numeric(18,2) as payable,
       coalesce(sum(a.amount) filter (where a.account = 'payable_invoiced'), 0)::numeric(18,2) as payable_invoiced,
       coalesce(sum(a.amount) filter (where a.account = 'prepaid'), 0)::numeric(18,2) as prepaid,
       coalesce(sum(a.amount) filter (where a.account = 'prereceived'), 0)::numeric(18,2) as prereceived
  from account_balance a
 group by a.org_id, a.counterparty_id;

-- Each use that must be settled, with the paper it came from and the one that settles it.
create view settlement_record with (security_invoker = true) as
select s.org_id, s.id, s.state, s.owner_id as owner_org_id, s.department_id, s.warehouse_id, d.kind as source_kind, d.sn as source_no,
       p.product_id, s.specification_id, l.lot_no, s.unit_code, s.quantity, s.price, s.tax_rate, s.amount, s.used_at, t.sn as settlement_no
  from settlement_line s
  join document d on d.org_id = s.org_id and d.id = s.use_document_id
  join specification p on p.id = s.specification_id
  join lot l on l.id = s.lot_id
  left join document t on t.org_id = s.org_id and t.id = s.settlement_id;

grant select on unit_tree, stock_on_hand, stock_elsewhere, account_summary, settlement_record to :app_role;
