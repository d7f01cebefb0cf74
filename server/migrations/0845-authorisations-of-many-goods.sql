-- What is given to a dealer may be all goods of a maker or a class, as papers have it: one rule says of which goods a line speaks.
alter table dealer_authorisation alter column product_id drop not null, add column manufacturer_id bigint, add column class_code text,
  add constraint dealer_authorisation_goods check (product_id is not null or manufacturer_id is not null or class_code is not null);

create function speaks_of(product bigint, manufacturer bigint, class text, made bigint, maker bigint, class_now text, class_before text) returns boolean language sql immutable
return (product is null or product = made) and (manufacturer is null or manufacturer = maker) and (class is null or starts_with(class_now, class) or starts_with(class_before, class));

-- Whether there are goods of which both lines speak.
create function goods_meet(product bigint, manufacturer bigint, class text, other_product bigint, other_manufacturer bigint, other_class text) returns boolean language sql stable
begin atomic
  select (product, manufacturer, class) is not distinct from (other_product, other_manufacturer, other_class)
      or exists (select 1 from product p where speaks_of(goods_meet.product, manufacturer, class, p.id, p.manufacturer_id, p.class_code, p.class_code_2002)
                    and speaks_of(other_product, other_manufacturer, other_class, p.id, p.manufacturer_id, p.class_code, p.class_code_2002));
end;

-- Whether all goods of which the second line speaks are goods of the first.
create function goods_within(product bigint, manufacturer bigint, class text, asked_product bigint, asked_manufacturer bigint, asked_class text) returns boolean language sql stable
begin atomic
  select case when asked_product is not null then exists (
              select 1 from product p where p.id = asked_product and speaks_of(goods_within.product, manufacturer, class, p.id, p.manufacturer_id, p.class_code, p.class_code_2002))
         else product is null and (manufacturer is null or coalesce(manufacturer = asked_manufacturer, false)) and (class is null or coalesce(starts_with(asked_class, class), false)) end;
end;

-- How people call the goods of a line.
create function goods_name(product bigint, manufacturer bigint, class text) returns text language sql stable
begin atomic
  select coalesce((select p.name from product p where p.id = product),
                  concat((select o.name || '的' from organisation o where o.id = manufacturer), class || '类', case when class is null then '全部产品' else '产品' end));
end;

create or replace view authorisation_line with (security_invoker = true) as
select k.org_id, k.id, k.licence_id, k.product_id, k.manufacturer_id, k.class_code, k.hospital_id, k.area, k.is_exclusive, k.may_pass_on, k.valid_from, k.valid_to, k.remark,
       case when k.of_id is null then 'own' else 'received' end as line_origin, case when g.system_type = 3 then '1' else '2' end as grant_level, k.status as line_state, k.version
  from licence_line k join licence l on l.org_id = k.org_id and l.id = k.licence_id join organisation g on g.id = coalesce(l.grantor_id, l.holder_id)
union all
select a.org_id, a.id, a.licence_id, a.product_id, a.manufacturer_id, a.class_code, a.hospital_id, a.area, a.is_exclusive, a.may_pass_on, a.valid_from, a.valid_to, a.remark, 'given', case when g.system_type = 3 then '1' else '2' end, a.status, a.version
  from dealer_authorisation a join organisation g on g.id = a.org_id where a.licence_id is not null;

create or replace function paper_scope(org bigint, paper bigint) returns jsonb language sql stable
begin atomic
  select jsonb_build_object('grantor', coalesce(l.grantor_id, l.holder_id)::text, 'grantee', coalesce(l.grantee_id, l.holder_id)::text, 'lines', coalesce((
           select jsonb_agg(to_jsonb(s) order by s.id) from (
             select k.id, k.product_id, k.manufacturer_id, k.class_code, k.hospital_id, k.area, k.area_codes, k.is_exclusive, k.may_pass_on, k.valid_from, k.valid_to
               from licence_line k where k.org_id = l.org_id and k.licence_id = l.id and k.status = 'enabled'
             union all
             select a.id, a.product_id, a.manufacturer_id, a.class_code, a.hospital_id, a.area, a.area_codes, a.is_exclusive, a.may_pass_on, a.valid_from, a.valid_to
               from dealer_authorisation a where a.org_id = l.org_id and a.licence_id = l.id and a.status = 'enabled') s), '[]'))
    from licence l where l.org_id = org and l.id = paper and l.licence_type in ('授权书', '产品授权书');
end;
