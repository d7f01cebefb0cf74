-- What partners looked at of the papers that they were given, at whoever gave and at whoever looked.
create table licence_look (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'), grant_org_id bigint not null, grant_sn text not null, viewer_org_id bigint not null,
  line_no int not null, licence_type text not null, deed text not null, user_name text not null, at timestamptz not null default now(),
  constraint licence_look_pk primary key (org_id, id), constraint licence_look_deed check (deed in ('view', 'print')));
create index licence_look_grant on licence_look (org_id, grant_org_id, grant_sn);
alter table licence_look enable row level security;
create policy own_rows on licence_look using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert on licence_look to :app_role;
create index licence_grant on licence (org_id, owner_org_id, grant_sn) where origin = 'granted';

-- A paper that came by authorisation counts while the authorisation stands; one of our own needs none.
create function grant_holds(org bigint, owner bigint, paper text, day date) returns boolean language sql stable
return paper is null or exists (
  select 1 from document d where d.org_id = org and d.kind = 'licenceEmpower' and d.role = 'counterparty' and d.from_org_id = owner and d.sn = paper and d.state = 'reviewed'
     and d.fields->>'valid_to' >= day::text);

-- Kinds of papers that an organisation demands of a holder: the first of each group that stand in for one another.
create function licence_required(org bigint, holder bigint) returns table (stands_as text, licence_type text) language sql stable
begin atomic
  select distinct on (coalesce(k.stands_as, k.licence_type)) coalesce(k.stands_as, k.licence_type), k.licence_type
    from licence_kind k
    join organisation o on o.id = holder and o.system_type = any(k.holders)
    left join licence_setting s on s.org_id = org and s.licence_type = k.licence_type
   where case when s.id is null then k.lawful else s.is_required and s.status = 'enabled' end
   order by coalesce(k.stands_as, k.licence_type), k.at;
end;

create or replace function licence_missing(org bigint, holder bigint) returns table (licence_type text) language sql stable
begin atomic
  select r.licence_type from licence_required(org, holder) r
   where not exists (select 1 from licence l join licence_kind held on held.licence_type = l.licence_type
                      where l.org_id = org and l.holder_id = holder and coalesce(held.stands_as, held.licence_type) = r.stands_as and l.status = 'enabled' and l.audit_state = 'passed'
                        and grant_holds(org, l.owner_org_id, l.grant_sn, (posting_now() at time zone 'Asia/Shanghai')::date));
end;

create or replace function licence_standing(org bigint, holder bigint, day date) returns text language sql stable
return (
  select case when count(*) = 0 then 'missing' when bool_or(not l.long_term and l.valid_to < day) then 'expired'
              when bool_or(not l.long_term and l.valid_to <= day + licence_lead(org, l.licence_type)) then 'expiring' else 'valid' end
    from licence l
   where l.org_id = org and l.holder_id = holder and l.status = 'enabled' and l.audit_state = 'passed' and grant_holds(org, l.owner_org_id, l.grant_sn, day)
     and not exists (select 1 from licence n where n.org_id = org and n.holder_id = holder and n.licence_type = l.licence_type and n.status = 'enabled' and n.audit_state = 'passed'
                        and n.grantee_id is not distinct from l.grantee_id and n.valid_from > l.valid_from and (n.long_term or n.valid_to > l.valid_to)));
