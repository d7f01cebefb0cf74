-- Tables of the whole network that hold a tenant's own data get row policies too: a statement that forgot to say whose
-- rows it wants finds those of the acting organisation and nothing else. The platform, which keeps accounts, roles and
-- settings of everybody, reaches all of them. What must be known before anybody acts, or across organisations, has
-- views of its own, with these columns alone: repeatable/0200-organisations.sql.

-- Whether an organisation is the platform: its transactions reach the rows of all.
create or replace function act_as(p_org bigint, p_user bigint) returns void language plpgsql
as $$
begin
  execute format('set local app.org_id = %L', p_org);
  execute format('set local app.user_id = %L', p_user);
  execute format(
    'set local app.reach = %L',
    case when exists (select from organisation where id = p_org and system_type = 0) then 'network' else 'own' end
  );
end $$;

-- Whether the acting organisation reaches rows of `owner`. Nobody acts: an error, as in all tenant tables.
create function reaches(owner bigint) returns boolean language sql stable parallel safe
return owner = current_setting('app.org_id')::bigint or current_setting('app.reach', true) = 'network';

-- Whose a role's users are, and who noted the change of a certificate.
alter table user_role add column org_id bigint;
update user_role g set org_id = u.org_id from app_user u where u.id = g.user_id;
alter table user_role alter column org_id set not null;
-- A program of the version before names none: it writes roles of its own organisation.
alter table user_role alter column org_id set default nullif(current_setting('app.org_id', true), '')::bigint;
create index user_role_org on user_role (org_id, role_id);

alter table certificate_change add column org_id bigint;
alter table certificate_change alter column org_id set default nullif(current_setting('app.org_id', true), '')::bigint;

alter table app_user enable row level security;
create policy reached_rows on app_user using (reaches(org_id)) with check (reaches(org_id));

alter table role enable row level security;
create policy reached_rows on role using (reaches(org_id)) with check (reaches(org_id));

alter table user_role enable row level security;
create policy reached_rows on user_role using (reaches(org_id)) with check (reaches(org_id));

alter table org_config enable row level security;
create policy reached_rows on org_config using (reaches(org_id)) with check (reaches(org_id));

alter table vip_grant enable row level security;
create policy reached_rows on vip_grant using (reaches(granted_org_id)) with check (reaches(granted_org_id));

-- Of a change to its product the maker sees all, also what the platform applied for.
alter table product_revision add column maker_id bigint;
update product_revision r set maker_id = p.manufacturer_id from product p where p.id = r.product_id;
alter table product_revision enable row level security;
create policy reached_rows on product_revision
  using (reaches(org_id) or reaches(maker_id))
  with check (reaches(org_id));

alter table org_change enable row level security;
create policy reached_rows on org_change using (reaches(organisation_id)) with check (reaches(organisation_id));

alter table licence_audit enable row level security;
create policy reached_rows on licence_audit using (reaches(organisation_id)) with check (reaches(organisation_id));

-- Everybody reads the history of a certificate; it is written in one's own name and never changed.
alter table certificate_change enable row level security;
create policy read_by_all on certificate_change for select using (true);
create policy written_by_oneself on certificate_change for insert with check (reaches(org_id));
revoke update, delete on certificate_change from :app_role;

-- What a stranger asked for is found by the token of his request alone.
alter table open_request enable row level security;
create policy own_request on open_request
  using (token_hash = current_setting('app.token'))
  with check (token_hash = current_setting('app.token'));

create function act_for_request(token text) returns void language plpgsql
as $$
begin
  execute format('set local app.token = %L', token);
end $$;

-- Accounts, organisations and sizes are deleted by nobody who answers calls: where a draft of one is taken back, the
-- owner of the tables does it (`deletedByOwner` of the definition).
revoke delete on app_user, organisation, specification from :app_role;
