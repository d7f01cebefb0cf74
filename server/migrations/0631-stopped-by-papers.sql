-- What the end of a paper would refuse. The gate judges a partner by what it must hold for the classes of device on a paper: one of each group.
create function licence_group(partner_type int, classes text[], kind text) returns text[] language sql immutable
return (
  select g.kinds from (values
    (1, true, array['医疗机构执业许可证', '诊所备案凭证']),
    (2, true, array['营业执照']),
    (2, 'III' = any(classes), array['医疗器械经营许可证']),
    (2, 'II' = any(classes) and not 'III' = any(classes), array['医疗器械经营许可证', '第二类医疗器械经营备案凭证']),
    (3, true, array['营业执照']),
    (3, classes && array['II', 'III'], array['医疗器械生产许可证', '医疗器械经营许可证', '进口总代理授权书', '进口代理人授权']),
    (3, 'I' = any(classes) and not classes && array['II', 'III'], array['医疗器械生产许可证', '医疗器械经营许可证', '进口总代理授权书', '进口代理人授权', '第一类医疗器械生产备案凭证'])) g(holder, asked, kinds)
   where g.holder = partner_type and g.asked and kind = any(g.kinds) limit 1);

-- How an organisation meets what has lapsed, where a kind of paper says nothing of its own: the hospital's rule, the house's setting, the platform's.
create function lapse_control(org bigint) returns text language sql stable
begin atomic
  select coalesce(
    (select h.control from hospital_rule h where h.org_id = org and h.name = 'certExpired' and h.status = 'enabled' and h.warehouse_id is null and h.department_id is null and h.custom_type_id is null limit 1),
    (select s.value #>> '{}' from setting s where s.org_id = org and s.name = 'certificate_check'),
    (select c.value from org_config c where c.org_id = org and c.name = 'certificate_check' and c.valid_from <= (posting_now() at time zone 'Asia/Shanghai')::date),
    'refuse');
end;

-- A row for each paper not yet completed that a warned-of licence or certificate would refuse.
create view licence_validity_paper with (security_invoker = true) as
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
   and d.state in ('draft', 'submitted', 'reviewed', 'partial') and lapse_control(w.org_id) = 'refuse';
grant select on licence_validity_paper to :app_role;

-- A row for each size that is bought from the partner, or covered by the certificate.
create view licence_validity_goods with (security_invoker = true) as
select w.org_id, w.id, s.id as specification_id from licence_validity w join specification s on s.registration_certificate_id = w.certificate_id where w.whose = 'product'
union
select w.org_id, w.id, h.specification_id from licence_validity w join hospital_product h on h.org_id = w.org_id and h.supplier_id = w.partner_id and h.status = 'enabled' where w.whose = 'partner'
union
select w.org_id, w.id, d.specification_id from licence_validity w join dealer_product d on d.org_id = w.org_id and d.status = 'enabled'
  join specification s on s.id = d.specification_id join product p on p.id = s.product_id and (p.manufacturer_id = w.partner_id or d.supplier_id = w.partner_id) where w.whose = 'partner';
grant select on licence_validity_goods to :app_role;

-- Classes of device that an organisation trades with a partner: what is on its list of them, and what prices were agreed for.
create function traded_classes(org bigint, partner bigint) returns text[] language sql stable
begin atomic
  select coalesce(array_agg(distinct p.device_class), '{}')
    from (select h.specification_id from hospital_product h where h.org_id = org and h.supplier_id = partner and h.status = 'enabled'
          union select d.specification_id from dealer_product d where d.org_id = org and d.supplier_id = partner and d.status = 'enabled'
          union select d.specification_id from dealer_product d join specification z on z.id = d.specification_id join product q on q.id = z.product_id
                 where d.org_id = org and q.manufacturer_id = partner and d.status = 'enabled'
          union select a.specification_id from price_agreement a where a.org_id = org and partner in (a.seller_id, a.buyer_id) and a.status = 'enabled') t
    join specification s on s.id = t.specification_id join product p on p.id = s.product_id;
end;

-- What is asked of a holder in an application: of the kinds that an organisation demands those that are for the classes traded. With whom nothing is traded yet, all of them are.
create function licence_template(org bigint, holder bigint) returns table (licence_type text) language sql stable
begin atomic
  with traded as (select traded_classes(org, holder) as classes, o.system_type::int as sort, o.system_type = 3 and coalesce(maker_abroad(holder), false) as abroad from organisation o where o.id = holder),
  permits as (
    select v.kind from traded t cross join lateral (values
      (2, 'III' = any(t.classes), '医疗器械经营许可证'),
      (2, 'II' = any(t.classes), '第二类医疗器械经营备案凭证'),
      (3, not t.abroad and t.classes && array['II', 'III'], '医疗器械生产许可证'),
      (3, not t.abroad and 'I' = any(t.classes), '第一类医疗器械生产备案凭证'),
      (3, t.abroad, '进口总代理授权书'), (3, t.abroad, '进口代理人授权')) v(sort, asked, kind)
     where v.sort = t.sort and v.asked)
  select r.licence_type
    from licence_required(org, holder) r cross join traded t
    left join licence_setting s on s.org_id = org and s.licence_type = r.licence_type
   where t.classes = '{}' or r.stands_as <> 'permit' and (coalesce(s.device_classes, '{}') = '{}' or s.device_classes && t.classes)
   union
  select p.kind from permits p, traded t where t.classes <> '{}' and exists (select 1 from licence_required(org, holder) r where r.stands_as = 'permit');
end;
