-- What the end of an authorisation would stop: orders, arrivals and receipts of the supplier whom it authorises, and plans with him, that have
-- goods which it names and no other paper will; and the goods themselves.
create function authorisation_ends(org bigint, paper bigint, product bigint, last date) returns boolean language sql stable
begin atomic
  select licence_names(org, paper, product, org, last)
     and exists (select 1 from licence l join product p on p.id = authorisation_ends.product
                  where l.org_id = org and l.id = paper and coalesce(l.grantee_id, l.holder_id) <> p.manufacturer_id
                    and (coalesce(l.grantor_id, l.holder_id) = p.manufacturer_id or exists (select 1 from licence_line k where k.org_id = l.org_id and k.licence_id = l.id)))
     and not exists (
       select 1 from licence l join licence n on n.org_id = l.org_id and n.id <> l.id and coalesce(n.grantee_id, n.holder_id) = coalesce(l.grantee_id, l.holder_id) join product p on p.id = authorisation_ends.product
        where l.org_id = org and l.id = paper and n.licence_type in ('授权书', '产品授权书') and n.status = 'enabled' and n.audit_state = 'passed' and (n.long_term or n.valid_to is null or n.valid_to > last)
          and (coalesce(n.grantor_id, n.holder_id) = p.manufacturer_id or exists (select 1 from licence_line k where k.org_id = n.org_id and k.licence_id = n.id))
          and licence_names(org, n.id, p.id, org, last + 1));
end;

create or replace view licence_validity_paper with (security_invoker = true) as
select w.org_id, w.id, d.id as document_id
  from licence_validity w
  join organisation o on o.id = w.partner_id
  left join licence_kind k on k.licence_type = w.licence_type
  left join licence_setting s on s.org_id = w.org_id and s.licence_type = w.licence_type
  join document d on d.org_id = w.org_id and d.role = 'own' and d.state in ('draft', 'submitted', 'reviewed', 'partial')
   and (d.kind in ('purchaseOrder', 'arrivalOrder', 'inspectionOrder', 'purchaseGrn', 'salesOrder', 'saleOdo', 'giveOdo') and d.counterparty_id = w.partner_id
     or d.kind = 'purchasePlan' and exists (select 1 from document_line p where p.org_id = d.org_id and p.document_id = d.id and p.fields->>'supplier_sn' = w.partner_id::text))
  cross join lateral (
    select coalesce(array_agg(distinct p.device_class), '{}') as classes
      from document_line l join specification z on z.id = l.specification_id join product p on p.id = z.product_id
     where l.org_id = d.org_id and l.document_id = d.id and (d.kind <> 'purchasePlan' or l.fields->>'supplier_sn' = w.partner_id::text)) c
  cross join lateral (select licence_group(o.system_type::int, c.classes, w.licence_type) as kinds) g
 where w.whose = 'partner' and w.level <> 'missing'
   and coalesce(s.control, case when s.id is null and not coalesce(k.lawful, false) then 'warn' else lapse_control(w.org_id) end) = 'refuse'
   and (s.id is null or s.status = 'enabled' and case d.kind when 'arrivalOrder' then s.at_arrival when 'inspectionOrder' then s.at_arrival when 'purchaseGrn' then s.at_receipt
                                                             when 'salesOrder' then s.at_sale when 'saleOdo' then s.at_issue when 'giveOdo' then s.at_issue else s.at_order end)
   and case when g.kinds is not null then not exists (
              select 1 from licence n where n.org_id = w.org_id and n.holder_id = w.partner_id and n.licence_type = any(g.kinds) and n.id <> w.licence_id and n.status = 'enabled' and n.audit_state = 'passed'
                 and (n.long_term or n.valid_to is null or n.valid_to > greatest(w.valid_to, (posting_now() at time zone 'Asia/Shanghai')::date)))
            when coalesce(k.lawful, false) or w.licence_type in ('授权书', '产品授权书') then false
            else coalesce(s.device_classes, '{}') = '{}' or c.classes = '{}' or s.device_classes && c.classes end
union all
select distinct w.org_id, w.id, d.id
  from licence_validity w
  join specification s on s.registration_certificate_id = w.certificate_id
  join document_line l on l.org_id = w.org_id and l.specification_id = s.id
  join document d on d.org_id = l.org_id and d.id = l.document_id
 where w.whose = 'product' and d.role = 'own' and d.kind in ('purchasePlan', 'purchaseOrder', 'arrivalOrder', 'inspectionOrder', 'purchaseGrn', 'salesOrder', 'saleOdo', 'giveOdo')
   and d.state in ('draft', 'submitted', 'reviewed', 'partial') and lapse_control(w.org_id) = 'refuse'
union all
select distinct w.org_id, w.id, d.id
  from licence_validity w
  join licence l on l.org_id = w.org_id and l.id = w.licence_id and l.licence_type in ('授权书', '产品授权书')
  join licence_setting s on s.org_id = w.org_id and s.licence_type = l.licence_type and s.control = 'refuse' and s.status = 'enabled'
  join document d on d.org_id = w.org_id and d.role = 'own' and d.state in ('draft', 'submitted', 'reviewed', 'partial')
   and (d.kind in ('purchaseOrder', 'arrivalOrder', 'inspectionOrder', 'purchaseGrn') and d.counterparty_id = coalesce(l.grantee_id, l.holder_id) or d.kind = 'purchasePlan')
  join document_line k on k.org_id = d.org_id and k.document_id = d.id and (d.kind <> 'purchasePlan' or k.fields->>'supplier_sn' = coalesce(l.grantee_id, l.holder_id)::text)
  join specification z on z.id = k.specification_id
 where w.whose = 'partner' and case d.kind when 'arrivalOrder' then s.at_arrival when 'inspectionOrder' then s.at_arrival when 'purchaseGrn' then s.at_receipt else s.at_order end
   and authorisation_ends(w.org_id, l.id, z.product_id, greatest(w.valid_to, (posting_now() at time zone 'Asia/Shanghai')::date - 1));

create or replace view licence_validity_goods with (security_invoker = true) as
select w.org_id, w.id, s.id as specification_id from licence_validity w join specification s on s.registration_certificate_id = w.certificate_id where w.whose = 'product'
union
select w.org_id, w.id, h.specification_id from licence_validity w join hospital_product h on h.org_id = w.org_id and h.supplier_id = w.partner_id and h.status = 'enabled'
 where w.whose = 'partner' and w.licence_type not in ('授权书', '产品授权书')
union
select w.org_id, w.id, d.specification_id from licence_validity w join dealer_product d on d.org_id = w.org_id and d.status = 'enabled'
  join specification s on s.id = d.specification_id join product p on p.id = s.product_id and (p.manufacturer_id = w.partner_id or d.supplier_id = w.partner_id)
 where w.whose = 'partner' and w.licence_type not in ('授权书', '产品授权书')
union
select w.org_id, w.id, h.specification_id
  from licence_validity w
  join licence l on l.org_id = w.org_id and l.id = w.licence_id and l.licence_type in ('授权书', '产品授权书')
  join (select org_id, specification_id, supplier_id from hospital_product where status = 'enabled' union all select org_id, specification_id, supplier_id from dealer_product where status = 'enabled') h
    on h.org_id = w.org_id and h.supplier_id = coalesce(l.grantee_id, l.holder_id)
  join specification z on z.id = h.specification_id
 where w.whose = 'partner' and authorisation_ends(w.org_id, l.id, z.product_id, greatest(w.valid_to, (posting_now() at time zone 'Asia/Shanghai')::date - 1));
