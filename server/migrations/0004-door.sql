-- The door: captchas, SMS codes and what was used of each allowance live by the hash of their name, like sessions;
-- registrations are the platform's own rows.
create table captcha (
  token_hash text not null, kind text not null, answer text not null, expires_at timestamptz not null,
  constraint captcha_pk primary key (token_hash));
create index captcha_expiry on captcha (expires_at);

-- One row a phone: a new code replaces the one before. `tries` counts wrong answers.
create table sms_code (
  token_hash text not null, code_hash text not null, purpose text not null, tries int not null default 0,
  sent_at timestamptz not null, expires_at timestamptz not null,
  constraint sms_code_pk primary key (token_hash));
create index sms_code_expiry on sms_code (expires_at);

create table allowance (
  token_hash text not null, used int not null, ends_at timestamptz not null,
  constraint allowance_pk primary key (token_hash));
create index allowance_end on allowance (ends_at);

grant select, insert, update, delete on captcha, sms_code, allowance to :app_role;
create index session_r_id on session (r_id);

-- Self-registrations, kept by the platform. The registrant's account exists from here on and becomes a user when the platform passes or matches it.
create table registration (
  org_id bigint not null, id bigint not null default nextval('reference_id_seq'),
  code text not null, system_type smallint not null, name text not null, alias text, social_credit_code text not null,
  administrative_division_sn text, address text not null, registrant text not null, registrant_phone text not null, registrant_email text,
  description text, password_hash text not null,
  state text not null default 'pending', reason text, matched_id bigint,
  applied_at timestamptz not null default posting_now(), decided_by text, decided_at timestamptz, version int not null default 1,
  constraint registration_pk primary key (org_id, id), constraint registration_code unique (org_id, code),
  constraint registration_state check (state in ('pending', 'passed', 'refused')),
  constraint registration_type check (system_type between 1 and 3));
create index registration_list on registration (org_id, state, id desc);
create index registration_phone on registration (org_id, registrant_phone, id desc);
create unique index registration_open_phone on registration (org_id, registrant_phone) where state = 'pending';
create unique index registration_open_credit on registration (org_id, system_type, social_credit_code) where state = 'pending';

-- A message concerns whoever may open the kind it tells of; each person reads it for himself.
alter table message add column kind text;
create table message_read (
  org_id bigint not null, user_id bigint not null, message_id bigint not null, at timestamptz not null default now(),
  constraint message_read_pk primary key (org_id, user_id, message_id));

do $$ declare t text; begin
  foreach t in array array['registration', 'message_read'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy own_rows on %I using (org_id = current_setting(''app.org_id'')::bigint) with check (org_id = current_setting(''app.org_id'')::bigint)', t);
  end loop;
end $$;
grant select, insert, update, delete on registration, message_read to :app_role;
