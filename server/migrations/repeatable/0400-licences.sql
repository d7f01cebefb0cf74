-- Days ahead of which an organisation is warned: its own, else the platform's for it, else what is usual.
create function warning_days(org bigint, what text) returns int language sql stable
return coalesce(
  (
    select
      case what
        when 'expiry_warning_days' then s.expiry_days
        when 'licence_warning_days' then s.licence_days
        when 'idle_warning_days' then s.idle_days
      end
    from warning_setting s
    where s.org_id = org
  ),
  (
    select c.value::int
    from org_config c
    where c.org_id = org and c.name = what and c.valid_from <= (posting_now() at time zone 'Asia/Shanghai')::date
  ),
  case what when 'licence_warning_days' then 90 else 180 end
);

-- Days before its end on which a licence of a kind begins to warn.
create function licence_lead(org bigint, kind text) returns int language sql stable
return coalesce(
  (
    select s.first_days
    from licence_setting s
    where s.org_id = org and s.licence_type = kind and s.status = 'enabled'
  ),
  warning_days(org, 'licence_warning_days')
);

-- A licence that came by authorisation counts while the authorisation is valid; one of our own needs none.
create function grant_holds(org bigint, owner bigint, grant_no text, day date) returns boolean language sql stable
return grant_no is null
  or exists (
    select 1
    from document d
    where d.org_id = org
      and d.kind = 'licenceEmpower'
      and d.role = 'counterparty'
      and d.from_org_id = owner
      and d.sn = grant_no
      and d.state = 'reviewed'
      and d.fields->>'valid_to' >= day::text
  );

-- Kinds of licences that an organisation demands of a holder: the first of each group of kinds that replace one
-- another.
create function licence_required(org bigint, holder bigint)
  returns table (stands_as text, licence_type text) language sql stable
begin atomic
  select distinct on (coalesce(k.stands_as, k.licence_type)) coalesce(k.stands_as, k.licence_type), k.licence_type
  from licence_kind k
  join organisation o on o.id = holder and o.system_type = any(k.holders)
  left join licence_setting s on s.org_id = org and s.licence_type = k.licence_type
  where case when s.id is null then k.lawful else s.is_required and s.status = 'enabled' end
  order by coalesce(k.stands_as, k.licence_type), k.at;
end;

-- Whether an authorisation for a hospital or an area covers purchases of a buyer. Places restrict hospitals only.
create function speaks_to(hospital bigint, areas text[], buyer bigint) returns boolean language sql stable
begin atomic
  select
    b.system_type <> 1
      or hospital = b.id
      or hospital is null
        and (
          areas = '{}'
          or exists (select 1 from unnest(areas) c(code) where starts_with(b.administrative_division_sn, c.code))
        )
  from organisation b
  where b.id = buyer;
end;

-- Kinds of licences that an organisation demands of a holder and does not have on file: one of each group of kinds that
-- replace one another. A maker abroad has no production licence here: the licences of its agent and of its sole agency
-- are demanded instead, both of them.
create function licence_missing(org bigint, holder bigint) returns table (licence_type text) language sql stable
begin atomic
  with
    maker as (
      select
        o.system_type,
        o.system_type = 3
          and exists (
            select 1
            from registration_certificate c
            where c.holder_org_id = holder and c.certificate_no ~ '(械注进|械备进|[(（]进[)）])'
          )
          and not exists (
            select 1
            from registration_certificate c
            where c.holder_org_id = holder and c.certificate_no !~ '(械注进|械备进|[(（]进[)）])'
          ) as abroad
      from organisation o
      where o.id = holder
    ),
    kinds as (
      select
        k.licence_type, k.at,
        case
          when m.abroad and k.stands_as = 'permit' then k.licence_type
          else coalesce(k.stands_as, k.licence_type)
        end as need,
        m.abroad and k.licence_type in ('进口总代理授权书', '进口代理人授权') as of_agent, k.lawful
      from licence_kind k
      join maker m on m.system_type = any(k.holders)
      where not (m.abroad and k.stands_as = 'permit' and k.licence_type not in ('进口总代理授权书', '进口代理人授权'))
    )
  select distinct on (k.need) k.licence_type
  from kinds k
  left join licence_setting s on s.org_id = org and s.licence_type = k.licence_type
  where case when s.id is null then k.lawful or k.of_agent else s.is_required and s.status = 'enabled' end
    and not exists (
      select 1
      from licence l
      join licence_kind held on held.licence_type = l.licence_type
      where l.org_id = org
        and l.holder_id = holder
        and (l.licence_type = k.need or not k.of_agent and coalesce(held.stands_as, held.licence_type) = k.need)
        and l.status = 'enabled'
        and l.audit_state = 'passed'
    )
    -- An authorisation that a partner of ours got in the network counts as if it were on file.
    and not (
      k.need in ('授权书', '产品授权书')
        and exists (
          select 1
          from published_authorisation a
          join org_relation r on r.org_id = org and r.partner_id = a.grantee_id and r.status = 'enabled'
          where a.grantee_id = holder
            and a.valid_to >= (posting_now() at time zone 'Asia/Shanghai')::date
            and speaks_to(a.hospital_id, a.area_codes, org)
        )
    )
  order by k.need, k.at;
end;

-- The state of a holder's licences that passed: of each kind only the newest counts.
create function licence_standing(org bigint, holder bigint, day date) returns text language sql stable
return (
  select
    case
      when count(*) = 0 then 'missing'
      when bool_or(not l.long_term and l.valid_to < day) then 'expired'
      when bool_or(not l.long_term and l.valid_to <= day + licence_lead(org, l.licence_type)) then 'expiring'
      else 'valid'
    end
  from licence l
  where l.org_id = org
    and l.holder_id = holder
    and l.status = 'enabled'
    and l.audit_state = 'passed'
    and grant_holds(org, l.owner_org_id, l.grant_sn, day)
    and not exists (
      select 1
      from licence n
      where n.org_id = org
        and n.holder_id = holder
        and n.licence_type = l.licence_type
        and n.status = 'enabled'
        and n.audit_state = 'passed'
        and n.grantee_id is not distinct from l.grantee_id
        and n.valid_from > l.valid_from
        and (n.long_term or n.valid_to > l.valid_to)
    )
);

-- The kinds of licences of which a partner must hold one, where a kind is among them: the gate judges it by what it
-- must hold for the classes of device on a document.
create function licence_group(partner_type int, classes text[], kind text) returns text[] language sql immutable
return (
  select g.kinds
  from (
    values
      (1, true, array['医疗机构执业许可证', '诊所备案凭证']), (2, true, array['营业执照']),
      (2, 'III' = any(classes), array['医疗器械经营许可证']),
      (2, 'II' = any(classes) and not 'III' = any(classes), array['医疗器械经营许可证', '第二类医疗器械经营备案凭证']),
      (3, true, array['营业执照']),
      (3, classes && array['II', 'III'], array['医疗器械生产许可证', '医疗器械经营许可证', '进口总代理授权书', '进口代理人授权']),
      (
        3, 'I' = any(classes) and not classes && array['II', 'III'],
        array['医疗器械生产许可证', '医疗器械经营许可证', '进口总代理授权书', '进口代理人授权', '第一类医疗器械生产备案凭证']
      )
  ) g(holder, asked, kinds)
  where g.holder = partner_type and g.asked and kind = any(g.kinds)
  limit 1
);

-- How an organisation treats a lapsed licence whose kind has no rule of its own: by the organisation's rule, else by
-- the platform's setting.
create function lapse_control(org bigint) returns text language sql stable
begin atomic
  select
    coalesce(
      (
        select h.control
        from hospital_rule h
        where h.org_id = org
          and h.name = 'certExpired'
          and h.status = 'enabled'
          and h.warehouse_id is null
          and h.department_id is null
          and h.custom_type_id is null
        limit 1
      ),
      (
        select case c.value when '仅警告' then 'warn' else 'refuse' end
        from org_config c
        where c.org_id = org
          and c.name = 'certificate_check'
          and c.valid_from <= (posting_now() at time zone 'Asia/Shanghai')::date
      ),
      'refuse'
    );
end;

-- Classes of device that an organisation trades with a partner: what is on its list of them, and what prices were
-- agreed for.
create function traded_classes(org bigint, partner bigint) returns text[] language sql stable
begin atomic
  select coalesce(array_agg(distinct p.device_class), '{}')
  from (
    select h.specification_id
    from hospital_product h
    where h.org_id = org and h.supplier_id = partner and h.status = 'enabled'
    union
    select d.specification_id
    from dealer_product d
    where d.org_id = org and d.supplier_id = partner and d.status = 'enabled'
    union
    select d.specification_id
    from dealer_product d
    join specification z on z.id = d.specification_id
    join product q on q.id = z.product_id
    where d.org_id = org and q.manufacturer_id = partner and d.status = 'enabled'
    union
    select a.specification_id
    from price_agreement a
    where a.org_id = org and partner in (a.seller_id, a.buyer_id) and a.status = 'enabled'
  ) t
  join specification s on s.id = t.specification_id
  join product p on p.id = s.product_id;
end;

-- The licences that a holder must hand in with an application: the kinds that the organisation demands for the classes
-- traded. For a holder with whom nothing is traded yet, all kinds.
create function licence_template(org bigint, holder bigint) returns table (licence_type text) language sql stable
begin atomic
  with
    traded as (
      select
        traded_classes(org, holder) as classes, o.system_type::int as sort,
        o.system_type = 3 and coalesce(maker_abroad(holder), false) as abroad
      from organisation o
      where o.id = holder
    ),
    permits as (
      select v.kind
      from traded t
      cross join lateral (
        values
          (2, 'III' = any(t.classes), '医疗器械经营许可证'), (2, 'II' = any(t.classes), '第二类医疗器械经营备案凭证'),
          (3, not t.abroad and t.classes && array['II', 'III'], '医疗器械生产许可证'),
          (3, not t.abroad and 'I' = any(t.classes), '第一类医疗器械生产备案凭证'), (3, t.abroad, '进口总代理授权书'),
          (3, t.abroad, '进口代理人授权')
      ) v(sort, asked, kind)
      where v.sort = t.sort and v.asked
    )
  select r.licence_type
  from licence_required(org, holder) r
  cross join traded t
  left join licence_setting s on s.org_id = org and s.licence_type = r.licence_type
  where t.classes = '{}' or r.stands_as <> 'permit'
    and (coalesce(s.device_classes, '{}') = '{}' or s.device_classes && t.classes)
  union
  select p.kind
  from permits p, traded t
  where t.classes <> '{}' and exists (select 1 from licence_required(org, holder) r where r.stands_as = 'permit');
end;

-- The partners of an organisation with the state of their licences.
create view partner_file with (security_invoker = true) as
select r.org_id, min(r.id) as id, r.partner_id as holder_id, max(r.version) as version
from org_relation r
where r.status = 'enabled'
group by r.org_id, r.partner_id;
grant select on partner_file to :app_role;

-- Licences and certificates that are warned of: those that run out or have run out, and those that are demanded and
-- not there, which have no number.
create view licence_validity with (security_invoker = true) as
select
  w.org_id, w.id, w.category,
  case
    when w.level = 'missing' then 'missing'
    when w.level = 'expired' then 'red'
    when w.level = 'urgent' then 'orange'
    else 'yellow'
  end as level,
  w.severity,
  case
    when w.category = 'PRODUCTREGISTRATION' then 'product'
    when w.partner_id = w.org_id then 'own'
    else 'partner'
  end as whose,
  w.partner_id,
  case
    when w.level = 'missing' then split_part(w.object_key, '-', 3)
    else coalesce(l.licence_type, '医疗器械注册证/备案凭证')
  end as licence_type,
  case when w.level <> 'missing' then w.code end as code,
  case when w.category = 'PRODUCTREGISTRATION' then w.object_name end as product_name, l.id as licence_id,
  case when w.category = 'PRODUCTREGISTRATION' then split_part(w.object_key, '-', 2)::bigint end as certificate_id,
  w.expiry_date as valid_to, w.responsible, w.state, w.settled_severity, w.handled_by, w.handled_at, w.note,
  w.reminded_on, w.first_at, w.version
from warning w
left join licence l on w.object_kind = 'licence'
  and w.level <> 'missing'
  and l.org_id = w.org_id
  and l.id = split_part(w.object_key, '-', 2)::bigint
where w.object_kind in ('licence', 'registrationCertificate') and w.state <> 'closed';
grant select on licence_validity to :app_role;
