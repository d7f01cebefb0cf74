-- $1 organisation, $2 today. Every cause of a warning that stands now, in the columns of `warning`.
with on_the_way as (
  -- Between stores of one house goods on the way lie under their delivery's number; a supplier's delivery is a receipt not yet reviewed.
  select x.warehouse_id, x.specification_id, sum(x.quantity) as quantity
    from (select d.to_warehouse_id as warehouse_id, b.specification_id, b.quantity
            from stock_balance b
            join warehouse w on w.org_id = b.org_id and w.id = b.warehouse_id and w.model = 'transit'
            join document d on d.org_id = b.org_id and d.sn = b.location and d.role = 'own' and d.to_warehouse_id is not null
           where b.org_id = $1 and b.quantity > 0
          union all
          select d.warehouse_id, l.specification_id, l.base_quantity
            from document d
            join document_line l on l.org_id = d.org_id and l.document_id = d.id
           where d.org_id = $1 and d.kind = 'purchaseGrn' and d.role = 'own' and d.state in ('draft', 'submitted', 'rejected') and d.source_document_id is not null) x
   group by 1, 2
), held as (
  select b.warehouse_id, b.department_id, b.specification_id, sum(b.quantity) as quantity,
         sum(case when b.quality_state = 'qualified' then b.quantity - b.reserved else 0 end) as available
    from stock_on_hand b
   where b.org_id = $1 and b.warehouse_model <> 'transit'
   group by 1, 2, 3
), levelled as (
  select p.*, w.department_id, coalesce(h.available, 0) as available, coalesce(h.quantity, 0) as held, coalesce(t.quantity, 0) as coming
    from warehouse_product p
    join warehouse w on w.org_id = p.org_id and w.id = p.warehouse_id
    left join held h on h.warehouse_id = p.warehouse_id and h.specification_id = p.specification_id
    left join on_the_way t on t.warehouse_id = p.warehouse_id and t.specification_id = p.specification_id
   where p.org_id = $1 and p.status = 'enabled'
), idle as (
  select h.warehouse_id, h.department_id, h.specification_id, h.quantity
    from held h
   where not exists (select 1 from stock_move m join document d on d.org_id = m.org_id and d.id = m.document_id
                      where m.org_id = $1 and m.warehouse_id = h.warehouse_id and m.specification_id = h.specification_id and m.quantity < 0 and m.undo_of is null
                        and m.at >= $2::date - 180)
     and exists (select 1 from stock_move m where m.org_id = $1 and m.warehouse_id = h.warehouse_id and m.specification_id = h.specification_id and m.at < $2::date - 180)
), found as (
  select 'CERTIFICATIONEARLY' as category, 'licence-' || l.id as object_key, 'licence' as object_kind, o.name as object_name, l.licence_no as code, l.holder_id as partner_id,
         null::bigint as warehouse_id, null::bigint as department_id, null::bigint as specification_id, null::numeric as quantity, l.valid_to as expiry_date,
         null::numeric as threshold, null::numeric as proposed, case when l.valid_to < $2 then 'expired' when l.valid_to <= $2::date + 30 then 'urgent' else 'soon' end as level
    from licence l
    join organisation o on o.id = l.holder_id
   where l.org_id = $1 and l.status = 'enabled' and l.audit_state = 'passed' and not l.long_term and l.valid_to <= $2::date + 90
     and not exists (select 1 from licence n where n.org_id = $1 and n.holder_id = l.holder_id and n.licence_type = l.licence_type and n.status = 'enabled'
                        and n.grantee_id is not distinct from l.grantee_id and n.valid_from > l.valid_from and (n.long_term or n.valid_to > l.valid_to))
  union all
  select 'PRODUCTREGISTRATION', 'certificate-' || c.id, 'registrationCertificate', c.product_name, c.certificate_no, c.holder_org_id, null, null, null, k.quantity, c.valid_to, null, null,
         case when c.valid_to < $2 then 'expired' when c.valid_to <= $2::date + 30 then 'urgent' else 'soon' end
    from registration_certificate c
    join (select s.registration_certificate_id as id, sum(h.quantity) as quantity from held h join specification s on s.id = h.specification_id group by 1) k on k.id = c.id
   where c.valid_to <= $2::date + 90
     and not exists (select 1 from registration_certificate n where n.valid_from > c.valid_from and (n.certificate_no = c.certificate_no or n.previous_certificate_no = c.certificate_no))
  union all
  select 'PRODUCTEXPIRY', concat_ws('-', 'lot', b.warehouse_id, b.lot_id), 'stockBalance', p.name || ' ' || s.name, b.lot_no, b.owner_org_id, b.warehouse_id, b.department_id, b.specification_id, b.quantity, b.expiry_date,
         null, null, case when b.expiry_date < $2 then 'expired' when b.expiry_date <= $2::date + 30 then 'urgent' else 'soon' end
    from (select warehouse_id, department_id, specification_id, lot_id, lot_no, expiry_date, min(owner_org_id) as owner_org_id, sum(quantity) as quantity
            from stock_on_hand where org_id = $1 and warehouse_model <> 'transit' and expiry_date <= $2::date + 180 group by 1, 2, 3, 4, 5, 6) b
    join specification s on s.id = b.specification_id
    join product p on p.id = s.product_id
  union all
  select 'PRODUCTINVENTORY', concat_ws('-', 'limit', x.warehouse_id, x.specification_id), 'warehouseProduct', p.name || ' ' || s.name, s.code, null, x.warehouse_id, x.department_id, x.specification_id, x.available, null,
         case when x.level = 'high' then x.max_quantity else x.min_quantity end, case when x.level = 'high' then null else greatest(x.max_quantity - x.available - x.coming, 0) end, x.level
    from (select levelled.*, case when held = 0 and coming = 0 then 'none' when available + coming <= min_quantity then 'low' when available > max_quantity then 'high' end as level from levelled) x
    join specification s on s.id = x.specification_id
    join product p on p.id = s.product_id
   where x.level is not null
  union all
  select 'PRODUCTINVENTORY', concat_ws('-', 'idle', x.warehouse_id, x.specification_id), 'stockBalance', p.name || ' ' || s.name, s.code, null, x.warehouse_id, x.department_id, x.specification_id, x.quantity, null, 180, null, 'idle'
    from idle x
    join specification s on s.id = x.specification_id
    join product p on p.id = s.product_id
)
