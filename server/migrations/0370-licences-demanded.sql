-- Of whom a kind of paper is asked, and which kinds stand in for one another: a public hospital has no business licence, a maker abroad no production licence.
-- A kind that is asked of nobody is the affair of products.
alter table licence_kind add column holders int[] not null default '{}', add column stands_as text;
update licence_kind k set holders = v.holders::int[], stands_as = v.stands_as
  from (values
    ('营业执照', '{2,3}', 'identity'), ('事业单位法人证书', '{1}', 'identity'), ('民办非企业单位登记证书', '{1}', 'identity'),
    ('医疗器械经营许可证', '{2}', 'permit'), ('第二类医疗器械经营备案凭证', '{2}', 'permit'), ('医疗器械生产许可证', '{3}', 'permit'), ('第一类医疗器械生产备案凭证', '{3}', 'permit'),
    ('进口总代理授权书', '{3}', 'permit'), ('进口代理人授权', '{3}', 'permit'), ('医疗机构执业许可证', '{1}', 'practice'), ('诊所备案凭证', '{1}', 'practice'),
    ('放射诊疗许可证', '{1}', null), ('大型医用设备配置许可证', '{1}', null), ('授权书', '{2}', null), ('产品授权书', '{3}', null), ('受托生产协议', '{3}', null),
    ('质量保证协议', '{2,3}', null), ('质量体系调查表', '{2,3}', null), ('质量体系认证证书', '{2,3}', null), ('法人授权委托书（销售人员）', '{2,3}', null),
    ('销售人员身份证', '{2,3}', null), ('法人授权委托书（跟台人员）', '{2}', null), ('采购人员委托书', '{1,2}', null), ('收货地址及开票信息', '{1}', null),
    ('医联体合作协议', '{1}', null), ('随货同行单样式及印章备案', '{2}', null), ('开票信息/开户许可证', '{2,3}', null), ('其他', '{1,2,3}', null)) v(licence_type, holders, stands_as)
 where v.licence_type = k.licence_type;

-- Which reminders of a paper were sent: each step once, the daily one once a day.
create table licence_reminder (
  org_id bigint not null, licence_id bigint not null, step text not null, told_on date not null,
  constraint licence_reminder_pk primary key (org_id, licence_id, step));
alter table licence_reminder enable row level security;
create policy own_rows on licence_reminder using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update, delete on licence_reminder to :app_role;

-- Kinds of papers that an organisation demands of a holder and has none of on file: one of each group that stand in for one another.
create function licence_missing(org bigint, holder bigint) returns table (licence_type text) language sql stable
begin atomic
  select distinct on (coalesce(k.stands_as, k.licence_type)) k.licence_type
    from licence_kind k
    join organisation o on o.id = holder and o.system_type = any(k.holders)
    left join licence_setting s on s.org_id = org and s.licence_type = k.licence_type
   where case when s.id is null then k.lawful else s.is_required and s.status = 'enabled' end
     and not exists (select 1 from licence l join licence_kind held on held.licence_type = l.licence_type
                      where l.org_id = org and l.holder_id = holder and coalesce(held.stands_as, held.licence_type) = coalesce(k.stands_as, k.licence_type)
                        and l.status = 'enabled' and l.audit_state = 'passed')
   order by coalesce(k.stands_as, k.licence_type), k.at;
end;

-- How the papers of a holder stand that were judged good: of each kind the newest counts.
create function licence_standing(org bigint, holder bigint, day date) returns text language sql stable
return (
  select case when count(*) = 0 then 'missing' when bool_or(not l.long_term and l.valid_to < day) then 'expired'
              when bool_or(not l.long_term and l.valid_to <= day + licence_lead(org, l.licence_type)) then 'expiring' else 'valid' end
    from licence l
   where l.org_id = org and l.holder_id = holder and l.status = 'enabled' and l.audit_state = 'passed'
     and not exists (select 1 from licence n where n.org_id = org and n.holder_id = holder and n.licence_type = l.licence_type and n.status = 'enabled' and n.audit_state = 'passed'
                        and n.grantee_id is not distinct from l.grantee_id and n.valid_from > l.valid_from and (n.long_term or n.valid_to > l.valid_to)));

-- Papers that are demanded and not there stand among the warnings.
create or replace view licence_validity with (security_invoker = true) as
select w.org_id, w.id, w.category, case when w.level = 'missing' then 'missing' when w.level = 'expired' then 'red' when w.level = 'urgent' then 'orange' else 'yellow' end as level, w.severity,
       case when w.category = 'PRODUCTREGISTRATION' then 'product' when w.partner_id = w.org_id then 'own' else 'partner' end as whose,
       w.partner_id, case when w.level = 'missing' then split_part(w.object_key, '-', 3) else coalesce(l.licence_type, '医疗器械注册证/备案凭证') end as licence_type, w.code,
       case when w.category = 'PRODUCTREGISTRATION' then w.object_name end as product_name, l.id as licence_id,
       case when w.category = 'PRODUCTREGISTRATION' then split_part(w.object_key, '-', 2)::bigint end as certificate_id,
       w.expiry_date as valid_to, w.responsible, w.state, w.settled_severity, w.handled_by, w.handled_at, w.note, w.reminded_on, w.first_at, w.version
  from warning w
  left join licence l on w.category = 'CERTIFICATIONEARLY' and w.level <> 'missing' and l.org_id = w.org_id and l.id = split_part(w.object_key, '-', 2)::bigint
 where w.category in ('CERTIFICATIONEARLY', 'PRODUCTREGISTRATION') and w.state <> 'closed';

-- The partners of an organisation with how their papers stand.
create view partner_file with (security_invoker = true) as
select r.org_id, min(r.id) as id, r.partner_id as holder_id, max(r.version) as version from org_relation r where r.status = 'enabled' group by r.org_id, r.partner_id;
grant select on partner_file to :app_role;
