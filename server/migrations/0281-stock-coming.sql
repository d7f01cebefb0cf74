-- What is on its way to a store and not on its shelf yet: sent and not arrived (transit), or arrived and not yet received (pending).
create view stock_coming with (security_invoker = true) as
select b.org_id, d.to_warehouse_id as warehouse_id, b.specification_id, l.lot_no, 'transit' as stage, b.quantity, d.sn
  from stock_balance b
  join warehouse w on w.org_id = b.org_id and w.id = b.warehouse_id and w.model = 'transit'
  join lot l on l.id = b.lot_id
  join document d on d.org_id = b.org_id and d.sn = b.location and d.role = 'own' and d.to_warehouse_id is not null
 where b.quantity > 0
union all
-- A supplier's delivery: his copy here, less what arrived or was received of it, or sent away at the door.
select d.org_id, (select x.warehouse_id from document x where x.org_id = d.org_id and x.source_document_id = d.id and x.role = 'own' and x.warehouse_id is not null
                   order by x.id desc limit 1),
       l.specification_id, coalesce(l.lot_no, ''), 'transit', l.base_quantity - g.taken, d.sn
  from document d
  join document_line l on l.org_id = d.org_id and l.document_id = d.id
  cross join lateral (
    select greatest(coalesce(sum(p.taken) filter (where p.purpose = 'arrive'), 0), coalesce(sum(p.taken) filter (where p.purpose = 'receive'), 0))
           + coalesce(sum(p.taken) filter (where p.purpose = 'refuse'), 0) as taken
      from line_progress p where p.org_id = l.org_id and p.document_id = l.document_id and p.line_no = l.line_no) g
 where d.kind in ('saleOdo', 'giveOdo') and d.role = 'counterparty' and d.state in ('reviewed', 'partial') and l.base_quantity > g.taken
union all
select d.org_id, d.warehouse_id, l.specification_id, coalesce(l.lot_no, ''), 'pending', l.base_quantity - g.taken, d.sn
  from document d
  join document_line l on l.org_id = d.org_id and l.document_id = d.id
  cross join lateral (
    select coalesce(sum(p.taken), 0) as taken from line_progress p
     where p.org_id = l.org_id and p.document_id = l.document_id and p.line_no = l.line_no
       and p.purpose = any(case d.kind when 'arrivalOrder' then array['inspect'] else array['receive', 'return'] end)) g
 where d.kind in ('arrivalOrder', 'inspectionOrder') and d.role = 'own' and d.state in ('reviewed', 'partial') and l.base_quantity > g.taken;
grant select on stock_coming to :app_role;
