-- 授权书 and what it authorises are one: a paper of the archive has lines that say which goods, where, for whom and until when. What was
-- received of suppliers and what was given to dealers hang on papers of the archive; the hospital that a paper named is a line of it.
create table licence_line (
  org_id bigint not null, id bigint not null default nextval('reference_id_seq'), licence_id bigint not null,
  product_id bigint, manufacturer_id bigint, class_code text, hospital_id bigint, area text, area_codes text[] not null default '{}',
  is_exclusive boolean not null default false, may_pass_on boolean not null default true, valid_from date, valid_to date, remark text,
  from_org_id bigint, of_id bigint, received_at timestamptz, status text not null default 'enabled', version int not null default 1,
  constraint licence_line_pk primary key (org_id, id),
  constraint licence_line_once unique (org_id, from_org_id, of_id),
  constraint licence_line_paper foreign key (org_id, licence_id) references licence (org_id, id) on delete cascade,
  constraint licence_line_product foreign key (product_id) references product (id),
  constraint licence_line_days check (valid_to >= valid_from));
create index licence_line_licence on licence_line (org_id, licence_id);
alter table licence_line enable row level security;
create policy own_rows on licence_line using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update, delete on licence_line to :app_role;

alter table dealer_authorisation add column licence_id bigint, add column may_pass_on boolean not null default true;
create index dealer_authorisation_licence on dealer_authorisation (org_id, licence_id);

-- The paper of an organisation's own archive for what one gives another under a number: the one on file, else a new one. A number that
-- another paper of the kind bears as well is told apart by the other side's code.
create function authorisation_paper(org bigint, kind text, grantor bigint, grantee bigint, no text, since date, until date) returns bigint language plpgsql as $$
declare paper bigint;
begin
  select l.id into paper from licence l
   where l.org_id = org and l.holder_id = org and l.licence_type = kind and l.licence_no = no and l.grantor_id = grantor and l.grantee_id = grantee and l.status <> 'replaced' order by l.id limit 1;
  if paper is null then
    insert into licence (org_id, holder_id, licence_type, licence_no, copy_no, issuer, valid_from, valid_to, grantor_id, grantee_id, origin, owner_org_id, audit_state, updated_by)
    select org, org, kind, no, case when exists (select 1 from licence x where x.org_id = org and x.holder_id = org and x.licence_type = kind and x.licence_no = no) then other.code end,
           g.name, since, until, grantor, grantee, case when grantor = org then 'own' else 'granted' end, case when grantor <> org then grantor end, 'passed', g.name
      from organisation g join organisation other on other.id = case when grantor = org then grantee else grantor end
     where g.id = grantor returning id into paper;
  end if;
  return paper;
end $$;

do $$
declare one record; paper bigint;
begin
  for one in select org_id, from_org_id, authorisation_no, min(valid_from) as since, max(valid_to) as until from authorisation_held group by 1, 2, 3 order by 1, 2, 3 loop
    paper := authorisation_paper(one.org_id, '授权书', one.from_org_id, one.org_id, one.authorisation_no, one.since, one.until);
    insert into licence_line (org_id, id, licence_id, product_id, hospital_id, area, area_codes, is_exclusive, valid_from, valid_to, from_org_id, of_id, received_at, status)
    select h.org_id, nextval('reference_id_seq'), paper, h.product_id, h.hospital_id, h.area, h.area_codes, h.is_exclusive, h.valid_from, h.valid_to, h.from_org_id, h.of_id, h.received_at, h.status
      from authorisation_held h where h.org_id = one.org_id and h.from_org_id = one.from_org_id and h.authorisation_no = one.authorisation_no;
  end loop;
  for one in select a.org_id, r.partner_id, a.authorisation_no, min(a.valid_from) as since, max(a.valid_to) as until
               from dealer_authorisation a join org_relation r on r.id = a.dealer_id group by 1, 2, 3 order by 1, 2, 3 loop
    paper := authorisation_paper(one.org_id, '产品授权书', one.org_id, one.partner_id, one.authorisation_no, one.since, one.until);
    update dealer_authorisation a set licence_id = paper from org_relation r
     where r.id = a.dealer_id and a.org_id = one.org_id and r.partner_id = one.partner_id and a.authorisation_no = one.authorisation_no;
  end loop;
end $$;
drop table authorisation_held;

-- The hospital that a paper named: all that its grantor may give, there. Its column stays for older programs beside this one; nothing reads it.
insert into licence_line (org_id, licence_id, manufacturer_id, hospital_id)
select l.org_id, l.id, case when o.system_type = 3 then o.id end, l.authorised_hospital_id
  from licence l left join organisation o on o.id = coalesce(l.grantor_id, l.holder_id) where l.authorised_hospital_id is not null order by l.org_id, l.id;

-- All lines of papers of the archive: those written on it or received, and those given to dealers.
create view authorisation_line with (security_invoker = true) as
select k.org_id, k.id, k.licence_id, k.product_id, k.manufacturer_id, k.class_code, k.hospital_id, k.area, k.is_exclusive, k.may_pass_on, k.valid_from, k.valid_to, k.remark,
       case when k.of_id is null then 'own' else 'received' end as line_origin, case when g.system_type = 3 then '1' else '2' end as grant_level, k.status as line_state, k.version
  from licence_line k join licence l on l.org_id = k.org_id and l.id = k.licence_id join organisation g on g.id = coalesce(l.grantor_id, l.holder_id)
union all
select a.org_id, a.id, a.licence_id, a.product_id, null, null, a.hospital_id, a.area, a.is_exclusive, a.may_pass_on, a.valid_from, a.valid_to, a.remark, 'given', case when g.system_type = 3 then '1' else '2' end, a.status, a.version
  from dealer_authorisation a join organisation g on g.id = a.org_id where a.licence_id is not null;
grant select on authorisation_line to :app_role;

-- What an organisation may sell by papers of its own that were given to it: those lines, within the days of their papers, while the papers hold.
create view authorisation_held with (security_invoker = true) as
select k.org_id, k.id, k.licence_id, l.grantor_id as from_org_id, k.product_id, k.manufacturer_id, k.class_code, k.hospital_id, k.area, k.area_codes, k.is_exclusive, k.may_pass_on,
       l.licence_type, l.licence_no as authorisation_no, greatest(k.valid_from, l.valid_from) as valid_from, least(k.valid_to, case when not l.long_term then l.valid_to end) as valid_to,
       coalesce(k.received_at, l.updated_at) as received_at,
       case when k.status = 'enabled' and l.status in ('enabled', 'replaced') and l.audit_state = 'passed'
             and grant_holds(l.org_id, l.owner_org_id, l.grant_sn, (posting_now() at time zone 'Asia/Shanghai')::date) then 'enabled' else 'disabled' end as status
  from licence_line k join licence l on l.org_id = k.org_id and l.id = k.licence_id
 where l.holder_id = l.org_id and l.licence_type in ('授权书', '产品授权书') and coalesce(l.grantee_id, l.org_id) = l.org_id and l.grantor_id <> l.org_id;
grant select on authorisation_held to :app_role;

-- Of those the ones that speak of a product: by its name, its maker, its class in either catalogue; a line that says none of these speaks of all.
create function authorised_for(org bigint, product bigint) returns setof authorisation_held language sql stable
begin atomic
  select h.* from authorisation_held h join product p on p.id = authorised_for.product
   where h.org_id = org and (h.product_id is null or h.product_id = p.id) and (h.manufacturer_id is null or h.manufacturer_id = p.manufacturer_id)
     and (h.class_code is null or starts_with(p.class_code, h.class_code) or starts_with(p.class_code_2002, h.class_code));
end;

-- Whether a paper speaks of a product for a buyer on a day. One without lines speaks of all goods of its grantor; places bind what hospitals buy.
create function licence_names(org bigint, paper bigint, product bigint, buyer bigint, day date) returns boolean language sql stable
begin atomic
  select not exists (select 1 from licence_line k where k.org_id = org and k.licence_id = paper)
      or exists (select 1 from licence_line k join product p on p.id = licence_names.product join organisation b on b.id = buyer
                  where k.org_id = org and k.licence_id = paper and k.status = 'enabled' and (k.valid_from is null or k.valid_from <= day) and (k.valid_to is null or k.valid_to >= day)
                    and (k.product_id is null or k.product_id = p.id) and (k.manufacturer_id is null or k.manufacturer_id = p.manufacturer_id)
                    and (k.class_code is null or starts_with(p.class_code, k.class_code) or starts_with(p.class_code_2002, k.class_code))
                    and (b.system_type <> 1 or k.hospital_id = b.id or k.hospital_id is null and (k.area_codes = '{}' or exists (
                          select 1 from unnest(k.area_codes) c(code) where starts_with(b.administrative_division_sn, c.code)))));
end;

-- A paper that came or was given by lines has their days, and stands while one of them does.
create function follow_lines(org bigint, papers bigint[]) returns void language sql
begin atomic
  update licence l set valid_from = coalesce(k.since, l.valid_from), valid_to = coalesce(k.until, l.valid_to), long_term = l.long_term and k.until is null, status = k.stands, updated_at = now(), version = l.version + 1
    from (select p.id, coalesce(min(a.valid_from) filter (where a.line_state = 'enabled'), min(a.valid_from)) as since,
                 coalesce(max(a.valid_to) filter (where a.line_state = 'enabled'), max(a.valid_to)) as until, case when bool_or(a.line_state = 'enabled') then 'enabled' else 'disabled' end as stands
            from unnest(papers) p(id) left join authorisation_line a on a.org_id = org and a.licence_id = p.id and a.line_origin <> 'own' group by p.id) k
   where l.org_id = org and l.id = k.id and l.status <> 'replaced' and (l.origin = 'granted' and l.grant_sn is null or l.grantor_id = org)
     and (l.valid_from, l.valid_to, l.status) is distinct from (coalesce(k.since, l.valid_from), coalesce(k.until, l.valid_to), k.stands);
end;

do $$
declare one record;
begin
  for one in select org_id, array_agg(distinct licence_id) as papers from authorisation_line where line_origin <> 'own' group by org_id loop
    perform follow_lines(one.org_id, one.papers);
  end loop;
end $$;

-- What a paper authorises, as it goes along when the paper is granted to a partner; nothing of papers that authorise nobody.
create function paper_scope(org bigint, paper bigint) returns jsonb language sql stable
begin atomic
  select jsonb_build_object('grantor', coalesce(l.grantor_id, l.holder_id)::text, 'grantee', coalesce(l.grantee_id, l.holder_id)::text, 'lines', coalesce((
           select jsonb_agg(to_jsonb(s) order by s.id) from (
             select k.id, k.product_id, k.manufacturer_id, k.class_code, k.hospital_id, k.area, k.area_codes, k.is_exclusive, k.may_pass_on, k.valid_from, k.valid_to
               from licence_line k where k.org_id = l.org_id and k.licence_id = l.id and k.status = 'enabled'
             union all
             select a.id, a.product_id, null, null, a.hospital_id, a.area, a.area_codes, a.is_exclusive, a.may_pass_on, a.valid_from, a.valid_to
               from dealer_authorisation a where a.org_id = l.org_id and a.licence_id = l.id and a.status = 'enabled') s), '[]'))
    from licence l where l.org_id = org and l.id = paper and l.licence_type in ('授权书', '产品授权书');
end;
