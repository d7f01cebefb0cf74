-- The licence in an organisation's own archive for an authorisation that one organisation gives another under a number:
-- the one on file, else a new one. A number that another licence of the kind has as well gets the other side's code.
create function authorisation_licence(
  org bigint, kind text, grantor bigint, grantee bigint, no text, since date, until date
) returns bigint language plpgsql
as $$
declare
  given_licence bigint;
begin
  select l.id into given_licence
  from licence l
  where l.org_id = org
    and l.holder_id = org
    and l.licence_type = kind
    and l.licence_no = no
    and l.grantor_id = grantor
    and l.grantee_id = grantee
    and l.status <> 'replaced'
  order by l.id
  limit 1;
  if given_licence is null then
    insert into licence (
      org_id, holder_id, licence_type, licence_no, copy_no, issuer, valid_from, valid_to, grantor_id, grantee_id,
      origin, owner_org_id, audit_state, updated_by
    )
    select
      org, org, kind, no,
      case
        when exists (
          select 1
          from licence x
          where x.org_id = org and x.holder_id = org and x.licence_type = kind and x.licence_no = no
        ) then other.code
      end,
      g.name, since, until, grantor, grantee,
      case when grantor = org then 'own' else 'granted' end,
      case when grantor <> org then grantor end,
      'passed', g.name
    from organisation g
    join organisation other on other.id = case when grantor = org then grantee else grantor end
    where g.id = grantor
    returning id into given_licence;
  end if;
  return given_licence;
end $$;

-- All lines of licences of the archive: those written on it or received, and those given to dealers.
create view authorisation_line with (security_invoker = true) as
select
  k.org_id, k.id, k.licence_id, k.product_id, k.manufacturer_id, k.class_code, k.hospital_id, k.area,
  k.is_exclusive, k.may_pass_on, k.valid_from, k.valid_to, k.remark,
  case when k.of_id is null then 'own' else 'received' end as line_origin,
  case when g.system_type = 3 then '1' else '2' end as grant_level, k.status as line_state, k.version
from licence_line k
join licence l on l.org_id = k.org_id and l.id = k.licence_id
join organisation g on g.id = coalesce(l.grantor_id, l.holder_id)
union all
select
  a.org_id, a.id, a.licence_id, a.product_id, a.manufacturer_id, a.class_code, a.hospital_id, a.area,
  a.is_exclusive, a.may_pass_on, a.valid_from, a.valid_to, a.remark, 'given',
  case when g.system_type = 3 then '1' else '2' end, a.status, a.version
from dealer_authorisation a
join organisation g on g.id = a.org_id
where a.licence_id is not null;
grant select on authorisation_line to :app_role;

-- The lines that authorise an organisation to sell, from its own licences that it received or typed, within the days of
-- the licences and while these are valid. A licence without lines covers all goods that its grantor makes.
create view authorisation_held with (security_invoker = true) as
select
  k.org_id, k.id, k.licence_id, l.grantor_id as from_org_id, k.product_id, k.manufacturer_id, k.class_code,
  k.hospital_id, k.area, k.area_codes, k.is_exclusive, k.may_pass_on, l.licence_type,
  l.licence_no as authorisation_no, greatest(k.valid_from, l.valid_from) as valid_from,
  least(k.valid_to, case when not l.long_term then l.valid_to end) as valid_to,
  coalesce(k.received_at, l.updated_at) as received_at,
  case
    when k.status = 'enabled'
      and l.status in ('enabled', 'replaced')
      and l.audit_state = 'passed'
      and grant_holds(l.org_id, l.owner_org_id, l.grant_sn, (posting_now() at time zone 'Asia/Shanghai')::date)
      then 'enabled'
    else 'disabled'
  end as status
from licence_line k
join licence l on l.org_id = k.org_id and l.id = k.licence_id
where l.holder_id = l.org_id
  and l.licence_type in ('授权书', '产品授权书')
  and coalesce(l.grantee_id, l.org_id) = l.org_id
  and l.grantor_id <> l.org_id
union all
select
  l.org_id, l.id, l.id, l.grantor_id, null, l.grantor_id, null, null, null, '{}', false, false, l.licence_type,
  l.licence_no, l.valid_from, case when not l.long_term then l.valid_to end, l.updated_at,
  case
    when l.status in ('enabled', 'replaced')
      and l.audit_state = 'passed'
      and grant_holds(l.org_id, l.owner_org_id, l.grant_sn, (posting_now() at time zone 'Asia/Shanghai')::date)
      then 'enabled'
    else 'disabled'
  end
from licence l
where l.holder_id = l.org_id
  and l.licence_type in ('授权书', '产品授权书')
  and coalesce(l.grantee_id, l.org_id) = l.org_id
  and l.grantor_id <> l.org_id
  and not exists (select 1 from licence_line k where k.org_id = l.org_id and k.licence_id = l.id);
grant select on authorisation_held to :app_role;

-- The lines of `authorisation_held` that cover a product: by its name, its maker, or its class in either catalogue. A
-- line that names none of these covers all.
create function authorised_for(org bigint, product bigint) returns setof authorisation_held language sql stable
begin atomic
  select h.*
  from authorisation_held h
  join product p on p.id = authorised_for.product
  where h.org_id = org
    and (h.product_id is null or h.product_id = p.id)
    and (h.manufacturer_id is null or h.manufacturer_id = p.manufacturer_id)
    and (
      h.class_code is null
        or starts_with(p.class_code, h.class_code)
        or starts_with(p.class_code_2002, h.class_code)
    );
end;

-- Whether a line covers a product. A field that the line leaves empty holds for all.
create function speaks_of(
  product bigint, manufacturer bigint, class text, made bigint, maker bigint, class_now text, class_before text
) returns boolean language sql immutable
return (product is null or product = made)
  and (manufacturer is null or manufacturer = maker)
  and (class is null or starts_with(class_now, class) or starts_with(class_before, class));

-- Whether there are goods that both lines cover.
create function goods_meet(
  product bigint, manufacturer bigint, class text, other_product bigint, other_manufacturer bigint, other_class text
) returns boolean language sql stable
begin atomic
  select
    (product, manufacturer, class) is not distinct from (other_product, other_manufacturer, other_class)
      or exists (
        select 1
        from product p
        where speaks_of(
            goods_meet.product, manufacturer, class, p.id, p.manufacturer_id, p.class_code, p.class_code_2002
          )
          and speaks_of(
            other_product, other_manufacturer, other_class, p.id, p.manufacturer_id, p.class_code,
            p.class_code_2002
          )
      );
end;

-- Whether the first line covers all goods of the second.
create function goods_within(
  product bigint, manufacturer bigint, class text, asked_product bigint, asked_manufacturer bigint, asked_class text
) returns boolean language sql stable
begin atomic
  select
    case
      when asked_product is not null
        then exists (
          select 1
          from product p
          where p.id = asked_product
            and speaks_of(
              goods_within.product, manufacturer, class, p.id, p.manufacturer_id, p.class_code, p.class_code_2002
            )
        )
      else product is null
        and (manufacturer is null or coalesce(manufacturer = asked_manufacturer, false))
        and (class is null or coalesce(starts_with(asked_class, class), false))
    end;
end;

-- The name of the goods of a line, for users.
create function goods_name(product bigint, manufacturer bigint, class text) returns text language sql stable
begin atomic
  select
    coalesce(
      (select p.name from product p where p.id = product),
      concat(
        (select o.name || '的' from organisation o where o.id = manufacturer), class || '类',
        case when class is null then '全部产品' else '产品' end
      )
    );
end;

-- Whether a licence covers a product for a buyer on a day. A licence without lines covers all goods of its grantor.
-- Places restrict hospitals only.
create function licence_names(org bigint, given_licence bigint, product bigint, buyer bigint, day date)
  returns boolean language sql stable
begin atomic
  select
    not exists (select 1 from licence_line k where k.org_id = org and k.licence_id = given_licence)
      or exists (
        select 1
        from licence_line k
        join product p on p.id = licence_names.product
        join organisation b on b.id = buyer
        where k.org_id = org
          and k.licence_id = given_licence
          and k.status = 'enabled'
          and (k.valid_from is null or k.valid_from <= day)
          and (k.valid_to is null or k.valid_to >= day)
          and (k.product_id is null or k.product_id = p.id)
          and (k.manufacturer_id is null or k.manufacturer_id = p.manufacturer_id)
          and (
            k.class_code is null
              or starts_with(p.class_code, k.class_code)
              or starts_with(p.class_code_2002, k.class_code)
          )
          and (
            b.system_type <> 1
              or k.hospital_id = b.id
              or k.hospital_id is null
                and (
                  k.area_codes = '{}'
                    or exists (
                      select 1
                      from unnest(k.area_codes) c(code)
                      where starts_with(b.administrative_division_sn, c.code)
                    )
                )
          )
      );
end;

-- The authorisations by which a supplier of ours may sell us a product on a day, each the last of an unbroken chain
-- from the maker: authorisations that makers and dealers granted in the network, and the licences of our archive. All
-- but the last may be passed on. For an organisation that is no supplier of ours there are no rows.
create function granted_chain(buyer bigint, product bigint, supplier bigint, day date)
  returns table (id bigint, licence_type text, licence_no text, valid_to date) language sql stable
begin atomic
  with recursive
    goods as (
      select p.id, p.manufacturer_id, p.class_code, p.class_code_2002
      from product p
      where p.id = granted_chain.product
        and exists (
          select 1
          from org_relation r
          where r.org_id = buyer and r.partner_id = supplier and r.status = 'enabled'
        )
    ),
    filed as materialized (
      select
        l.id, l.licence_type, l.licence_no, case when not l.long_term then l.valid_to end as valid_to,
        coalesce(l.grantor_id, g.manufacturer_id) as grantor_id, coalesce(l.grantee_id, l.holder_id) as grantee_id,
        true as may_pass_on
      from goods g
      join licence l on l.org_id = buyer
        and l.licence_type in ('授权书', '产品授权书')
        and l.status in ('enabled', 'replaced')
        and l.audit_state = 'passed'
        and l.valid_from <= day
        and (l.long_term or l.valid_to is null or l.valid_to >= day)
        and grant_holds(l.org_id, l.owner_org_id, l.grant_sn, day)
        and licence_names(buyer, l.id, g.id, buyer, day)
    ),
    link as not materialized (
      select k.id, k.licence_type, k.licence_no, k.valid_to, k.grantor_id, k.grantee_id, k.may_pass_on
      from filed k
      union all
      select a.id, '授权书', a.authorisation_no, a.valid_to, a.grantor_id, a.grantee_id, a.may_pass_on
      from goods g
      join published_authorisation a on a.valid_from <= day
        and a.valid_to >= day
        and speaks_of(
          a.product_id, a.manufacturer_id, a.class_code, g.id, g.manufacturer_id, g.class_code, g.class_code_2002
        )
        and speaks_to(a.hospital_id, a.area_codes, buyer)
    ),
    up as (
      select k.id, k.licence_type, k.licence_no, k.valid_to, k.grantor_id as at
      from link k
      where k.grantee_id = supplier
      union
      select u.id, u.licence_type, u.licence_no, u.valid_to, k.grantor_id
      from up u
      join goods g on g.manufacturer_id <> u.at
      join link k on k.grantee_id = u.at and k.may_pass_on
    )
  select distinct u.id, u.licence_type, u.licence_no, u.valid_to
  from up u
  join goods g on g.manufacturer_id = u.at;
end;

-- Gives a licence that came or was given by lines their days, and keeps it enabled while one of them is.
create function follow_authorisation_lines(org bigint, given_licences bigint[]) returns void language sql
begin atomic
  update licence l
  set
    valid_from = coalesce(k.since, l.valid_from), valid_to = coalesce(k.until, l.valid_to),
    long_term = l.long_term and k.until is null, status = k.stands, updated_at = now(), version = l.version + 1
  from (
    select
      p.id, coalesce(min(a.valid_from) filter (where a.line_state = 'enabled'), min(a.valid_from)) as since,
      coalesce(max(a.valid_to) filter (where a.line_state = 'enabled'), max(a.valid_to)) as until,
      case when bool_or(a.line_state = 'enabled') then 'enabled' else 'disabled' end as stands
    from unnest(given_licences) p(id)
    left join authorisation_line a on a.org_id = org and a.licence_id = p.id and a.line_origin <> 'own'
    group by p.id
  ) k
  where l.org_id = org
    and l.id = k.id
    and l.status <> 'replaced'
    and (l.origin = 'granted' and l.grant_sn is null or l.grantor_id = org)
    and (l.valid_from, l.valid_to, l.status) is distinct from (
      coalesce(k.since, l.valid_from), coalesce(k.until, l.valid_to), k.stands
    );
end;

-- The scope of an authorisation, which is sent along when the licence is granted to a partner; null for licences that
-- authorise nobody.
create function authorisation_scope(org bigint, given_licence bigint) returns jsonb language sql stable
begin atomic
  select
    jsonb_build_object(
      'grantor', coalesce(l.grantor_id, l.holder_id)::text, 'grantee', coalesce(l.grantee_id, l.holder_id)::text,
      'lines',
      coalesce(
        (
          select jsonb_agg(to_jsonb(s) order by s.id)
          from (
            select
              k.id, k.product_id, k.manufacturer_id, k.class_code, k.hospital_id, k.area, k.area_codes,
              k.is_exclusive, k.may_pass_on, k.valid_from, k.valid_to
            from licence_line k
            where k.org_id = l.org_id and k.licence_id = l.id and k.status = 'enabled'
            union all
            select
              a.id, a.product_id, a.manufacturer_id, a.class_code, a.hospital_id, a.area, a.area_codes,
              a.is_exclusive, a.may_pass_on, a.valid_from, a.valid_to
            from dealer_authorisation a
            where a.org_id = l.org_id and a.licence_id = l.id and a.status = 'enabled'
          ) s
        ),
        '[]'
      )
    )
  from licence l
  where l.org_id = org and l.id = given_licence and l.licence_type in ('授权书', '产品授权书');
end;

-- Whether a product has no authorisation left after the last day of this licence: the licence covers it, its grantee is
-- not the maker, and no other licence of the grantee covers it on the next day. Orders, arrivals, receipts and plans
-- with such goods would then be stopped.
create function authorisation_ends(org bigint, given_licence bigint, product bigint, last date)
  returns boolean language sql stable
begin atomic
  select
    licence_names(org, given_licence, product, org, last)
      and exists (
        select 1
        from licence l
        join product p on p.id = authorisation_ends.product
        where l.org_id = org
          and l.id = given_licence
          and coalesce(l.grantee_id, l.holder_id) <> p.manufacturer_id
          and (
            coalesce(l.grantor_id, l.holder_id) = p.manufacturer_id
              or exists (select 1 from licence_line k where k.org_id = l.org_id and k.licence_id = l.id)
          )
      )
      and not exists (
        select 1
        from licence l
        join licence n on n.org_id = l.org_id
          and n.id <> l.id
          and coalesce(n.grantee_id, n.holder_id) = coalesce(l.grantee_id, l.holder_id)
        join product p on p.id = authorisation_ends.product
        where l.org_id = org
          and l.id = given_licence
          and n.licence_type in ('授权书', '产品授权书')
          and n.status = 'enabled'
          and n.audit_state = 'passed'
          and (n.long_term or n.valid_to is null or n.valid_to > last)
          and (
            coalesce(n.grantor_id, n.holder_id) = p.manufacturer_id
              or exists (select 1 from licence_line k where k.org_id = n.org_id and k.licence_id = n.id)
          )
          and licence_names(org, n.id, p.id, org, last + 1)
      );
end;

-- A row for each document not yet completed that a warned-of licence or certificate would refuse.
create view licence_validity_document with (security_invoker = true) as
select w.org_id, w.id, d.id as document_id
from licence_validity w
join organisation o on o.id = w.partner_id
left join licence_kind k on k.licence_type = w.licence_type
left join licence_setting s on s.org_id = w.org_id and s.licence_type = w.licence_type
join document d on d.org_id = w.org_id
  and d.role = 'own'
  and d.state in ('draft', 'submitted', 'reviewed', 'partial')
  and (
    d.kind = any(supplier_gated() || customer_gated())
      and d.counterparty_id = w.partner_id
      or d.kind = 'purchasePlan'
        and exists (
          select 1
          from document_line p
          where p.org_id = d.org_id and p.document_id = d.id and p.fields->>'supplier_sn' = w.partner_id::text
        )
  )
cross join lateral (
  select coalesce(array_agg(distinct p.device_class), '{}') as classes
  from document_line l
  join specification z on z.id = l.specification_id
  join product p on p.id = z.product_id
  where l.org_id = d.org_id
    and l.document_id = d.id
    and (d.kind <> 'purchasePlan' or l.fields->>'supplier_sn' = w.partner_id::text)
) c
cross join lateral (select licence_group(o.system_type::int, c.classes, w.licence_type) as kinds) g
where w.whose = 'partner'
  and w.level <> 'missing'
  and coalesce(
    s.control,
    case when s.id is null and not coalesce(k.lawful, false) then 'warn' else lapse_control(w.org_id) end
  ) = 'refuse'
  and (
    s.id is null
      or s.status = 'enabled'
        and case gate_step(d.kind)
          when 'arrival' then s.at_arrival
          when 'receipt' then s.at_receipt
          when 'sale' then s.at_sale
          when 'issue' then s.at_issue
          else s.at_order
        end
  )
  and case
    when g.kinds is not null
      then not exists (
        select 1
        from licence n
        where n.org_id = w.org_id
          and n.holder_id = w.partner_id
          and n.licence_type = any(g.kinds)
          and n.id <> w.licence_id
          and n.status = 'enabled'
          and n.audit_state = 'passed'
          and (
            n.long_term
              or n.valid_to is null
              or n.valid_to > greatest(w.valid_to, (posting_now() at time zone 'Asia/Shanghai')::date)
          )
      )
    when coalesce(k.lawful, false) or w.licence_type in ('授权书', '产品授权书') then false
    else coalesce(s.device_classes, '{}') = '{}' or c.classes = '{}' or s.device_classes && c.classes
  end
union all
select distinct w.org_id, w.id, d.id
from licence_validity w
join specification s on s.registration_certificate_id = w.certificate_id
join document_line l on l.org_id = w.org_id and l.specification_id = s.id
join document d on d.org_id = l.org_id and d.id = l.document_id
where w.whose = 'product'
  and d.role = 'own'
  and d.kind = any(array['purchasePlan'] || supplier_gated() || customer_gated())
  and d.state in ('draft', 'submitted', 'reviewed', 'partial')
  and lapse_control(w.org_id) = 'refuse'
union all
select distinct w.org_id, w.id, d.id
from licence_validity w
join licence l on l.org_id = w.org_id and l.id = w.licence_id and l.licence_type in ('授权书', '产品授权书')
join licence_setting s on s.org_id = w.org_id
  and s.licence_type = l.licence_type
  and s.control = 'refuse'
  and s.status = 'enabled'
join document d on d.org_id = w.org_id
  and d.role = 'own'
  and d.state in ('draft', 'submitted', 'reviewed', 'partial')
  and (
    d.kind = any(supplier_gated())
      and d.counterparty_id = coalesce(l.grantee_id, l.holder_id)
      or d.kind = 'purchasePlan'
  )
join document_line k on k.org_id = d.org_id
  and k.document_id = d.id
  and (d.kind <> 'purchasePlan' or k.fields->>'supplier_sn' = coalesce(l.grantee_id, l.holder_id)::text)
join specification z on z.id = k.specification_id
where w.whose = 'partner'
  and case gate_step(d.kind)
    when 'arrival' then s.at_arrival
    when 'receipt' then s.at_receipt
    else s.at_order
  end
  and authorisation_ends(
    w.org_id, l.id, z.product_id, greatest(w.valid_to, (posting_now() at time zone 'Asia/Shanghai')::date - 1)
  );
grant select on licence_validity_document to :app_role;

-- A row for each size that a warned-of licence or certificate concerns: what is bought from the partner, or covered
-- by the certificate.
create view licence_validity_goods with (security_invoker = true) as
select w.org_id, w.id, s.id as specification_id
from licence_validity w
join specification s on s.registration_certificate_id = w.certificate_id
where w.whose = 'product'
union
select w.org_id, w.id, h.specification_id
from licence_validity w
join hospital_product h on h.org_id = w.org_id and h.supplier_id = w.partner_id and h.status = 'enabled'
where w.whose = 'partner' and w.licence_type not in ('授权书', '产品授权书')
union
select w.org_id, w.id, d.specification_id
from licence_validity w
join dealer_product d on d.org_id = w.org_id and d.status = 'enabled'
join specification s on s.id = d.specification_id
join product p on p.id = s.product_id and (p.manufacturer_id = w.partner_id or d.supplier_id = w.partner_id)
where w.whose = 'partner' and w.licence_type not in ('授权书', '产品授权书')
union
select w.org_id, w.id, h.specification_id
from licence_validity w
join licence l on l.org_id = w.org_id and l.id = w.licence_id and l.licence_type in ('授权书', '产品授权书')
join (
  select org_id, specification_id, supplier_id
  from hospital_product
  where status = 'enabled'
  union all
  select org_id, specification_id, supplier_id
  from dealer_product
  where status = 'enabled'
) h on h.org_id = w.org_id and h.supplier_id = coalesce(l.grantee_id, l.holder_id)
join specification z on z.id = h.specification_id
where w.whose = 'partner'
  and authorisation_ends(
    w.org_id, l.id, z.product_id, greatest(w.valid_to, (posting_now() at time zone 'Asia/Shanghai')::date - 1)
  );
grant select on licence_validity_goods to :app_role;
