-- Partners that are not on the platform: an organisation writes one down for itself, and nobody else knows of it. When that organisation
-- registers, the record is joined with it by the credit code, and what was written under it follows.
alter table organisation add column kept_by_id bigint;
alter table organisation add column joined_id bigint;
alter table organisation add column announced_id bigint;
alter table organisation drop constraint organisation_credit;
alter table organisation drop constraint organisation_code;
create unique index organisation_credit on organisation (system_type, social_credit_code) where kept_by_id is null;
create unique index organisation_code on organisation (code) where kept_by_id is null;
create unique index organisation_kept on organisation (kept_by_id, system_type, social_credit_code) where kept_by_id is not null and joined_id is null;
create unique index organisation_kept_code on organisation (kept_by_id, code) where kept_by_id is not null;
alter table organisation enable row level security;
create policy known_rows on organisation
  using (kept_by_id is null or kept_by_id = nullif(current_setting('app.org_id', true), '')::bigint)
  with check (kept_by_id is null or kept_by_id = nullif(current_setting('app.org_id', true), '')::bigint);
