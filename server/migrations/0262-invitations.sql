-- A dealer is invited by a link that serves once and for some days; what was agreed on stands when its registration has passed.
create table dealer_invitation (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  token text not null, name text not null, social_credit_code text, registrant text, registrant_phone text,
  dealer_level text, sales_area text, price_level text, credit_limit numeric(18,2), payment_days int not null default 0, settlement_method text not null default 'monthly',
  products text[] not null default '{}', area text, authorisation_no text, valid_from date, valid_to date, remark text,
  expires_on date not null, state text not null default 'open', partner_id bigint, reason text,
  invited_by text, invited_at timestamptz not null default now(), version int not null default 1,
  constraint dealer_invitation_pk primary key (org_id, id),
  constraint dealer_invitation_token unique (org_id, token));
alter table dealer_invitation enable row level security;
create policy own_rows on dealer_invitation using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update, delete on dealer_invitation to :app_role;

alter table registration add column inviter_id bigint;
alter table registration add column invitation_id bigint;
alter table registration add column invitation_told_at timestamptz;
create index registration_invited on registration (org_id, id) where invitation_id is not null and invitation_told_at is null;
