-- Who asked for a relation that waits for the other side's answer; null once it was agreed, or when nobody asked.
alter table org_relation add column applicant_id bigint;

-- The unit tree of every specification: its base unit is the root, under the specification's own id; each pack holds `measure` of its parent.
create view unit_tree with (security_invoker = true) as
select s.id, s.id as specification_id, null::bigint as parent_id, s.unit_name as name, 1 as measure, 1 as base_measure, s.udi_di, 'enabled' as status, s.version
  from specification s
 union all
select p.id, p.specification_id, coalesce(p.parent_id, p.specification_id), p.name, p.measure, p.base_measure, p.udi_di, p.status, p.version
  from pack_unit p;

-- What lies where now, with what other papers have reserved of it.
create view stock_on_hand with (security_invoker = true) as
select b.org_id, b.warehouse_id, b.location, b.specification_id, b.lot_id, b.owner_id, b.quality_state, b.quantity, b.value,
       coalesce(r.quantity, 0)::numeric(18,3) as reserved
  from stock_balance b
  left join lateral (
    select sum(q.quantity) as quantity from reservation q
     where q.org_id = b.org_id and q.warehouse_id = b.warehouse_id and q.specification_id = b.specification_id and q.lot_id = b.lot_id
       and q.location = b.location and q.owner_id = b.owner_id and q.quality_state = b.quality_state) r on true
 where b.quantity > 0;

-- One row for each counterparty: what it owes us and what we owe it, by account.
create view account_summary with (security_invoker = true) as
select a.org_id, a.counterparty_id as id, a.counterparty_id,
       sum(a.amount) filter (where a.account in ('receivable_unbilled', 'receivable_invoiced')) as receivable,
       sum(a.amount) filter (where a.account = 'receivable_invoiced') as receivable_invoiced,
       sum(a.amount) filter (where a.account in ('payable_estimated', 'payable_invoiced')) as payable,
       sum(a.amount) filter (where a.account = 'payable_invoiced') as payable_invoiced,
       sum(a.amount) filter (where a.account = 'prepaid') as prepaid,
       sum(a.amount) filter (where a.account = 'prereceived') as prereceived
  from account_balance a
 group by a.org_id, a.counterparty_id;

grant select on unit_tree, stock_on_hand, account_summary to :app_role;
