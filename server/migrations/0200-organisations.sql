-- Organisations and what they are to one another: their files, their relations, how they register.

-- Every organisation of the network, and those that one of them keeps for itself as a partner that is not on the
-- platform.
create table organisation (
  id bigint not null default nextval('reference_id_seq'),
  code text not null,
  name text not null,
  alias text,
  system_type smallint not null,
  social_credit_code text not null,
  administrative_division_sn text,
  address text not null default '',
  legal_person text,
  registrant text,
  registrant_phone text,
  registrant_email text,
  description text,
  hospital_level text,
  nature text,
  gln text,
  bank_name text,
  bank_account text,
  audit_state text not null default 'passed',
  audit_reason text,
  pinyin text not null default '',
  -- 江苏省苏州市吴中区 beside its code: what people read and search.
  division_name text not null default '',
  uses_system boolean not null default true,
  created_at timestamptz not null default now(),
  vip_level int not null default 0,
  vip_until date,
  -- Partners that are not on the platform: an organisation writes one down for itself, and nobody else knows of it.
  -- When that organisation registers, the record is joined with it by the credit code, and what was written under it
  -- follows.
  kept_by_id bigint,
  joined_id bigint,
  announced_id bigint,
  -- The file of an organisation as its trade asks for it.
  short_name text,
  business_mode text,
  business_scope text,
  warehouse_address text,
  principal text,
  quality_head text,
  invoice_contact text,
  status text not null default 'enabled',
  version int not null default 1,
  constraint organisation_pk primary key (id),
  constraint organisation_type check (system_type between 0 and 3)
);
create index organisation_name_trgm on organisation using gin ((name || ' ' || pinyin) gin_trgm_ops);
create unique index organisation_credit on organisation (system_type, social_credit_code) where kept_by_id is null;
create unique index organisation_code on organisation (code) where kept_by_id is null;
create unique index organisation_kept on organisation (kept_by_id, system_type, social_credit_code)
  where kept_by_id is not null and joined_id is null;
create unique index organisation_kept_code on organisation (kept_by_id, code) where kept_by_id is not null;
alter table organisation enable row level security;
create policy known_rows on organisation
  using (kept_by_id is null or kept_by_id = nullif(current_setting('app.org_id', true), '')::bigint)
  with check (kept_by_id is null or kept_by_id = nullif(current_setting('app.org_id', true), '')::bigint);
grant select, insert, update, delete on organisation to :app_role;

-- What stood in an organisation's file before a change, by its last day.
create table organisation_past (
  id bigint not null default nextval('reference_id_seq'),
  organisation_id bigint not null,
  until_day date not null,
  name text not null,
  former jsonb not null,
  constraint organisation_past_pk primary key (id),
  constraint organisation_past_organisation foreign key (organisation_id) references organisation (id)
);
create index organisation_past_ix on organisation_past (organisation_id, until_day);
grant select, insert on organisation_past to :app_role;

-- Changes of an organisation's own file wait for the platform.
create table org_change (
  id bigint not null default nextval('reference_id_seq'),
  code text not null,
  change_type text not null,
  organisation_id bigint not null,
  name text,
  alias text,
  social_credit_code text,
  administrative_division_sn text,
  address text,
  legal_person text,
  registrant text,
  registrant_phone text,
  registrant_email text,
  bank_name text,
  bank_account text,
  note text,
  attachments text[] not null default '{}',
  changed text not null default '',
  before_text text not null default '',
  after_text text not null default '',
  applied_by text,
  applied_at timestamptz not null default now(),
  state text not null default 'pending',
  decided_by text,
  decided_at timestamptz,
  reason text,
  -- An organisation may ask the platform for a relation to trade: with whom, under which, on which days, by which
  -- authorisation.
  partner_id bigint,
  relation text,
  valid_from date,
  valid_to date,
  version int not null default 1,
  constraint org_change_pk primary key (id),
  constraint org_change_code unique (code),
  constraint org_change_organisation foreign key (organisation_id) references organisation (id),
  constraint org_change_state check (state in ('pending', 'passed', 'refused'))
);
create unique index org_change_open on org_change (organisation_id, change_type) where state = 'pending';
create index org_change_list on org_change (state, id desc);
grant select, insert, update, delete on org_change to :app_role;

-- Who trades with whom: one row for each side, partner and kind of relation, with what was agreed.
create table org_relation (
  id bigint not null default nextval('reference_id_seq'),
  org_id bigint not null,
  partner_id bigint not null,
  relation text not null,
  authorisation_no text,
  valid_from date,
  valid_to date,
  default_tax_rate smallint not null default 13,
  settlement_method text not null default 'monthly',
  payment_days int not null default 0,
  credit_limit numeric(18,2),
  contact text,
  phone text,
  remark text,
  -- Who asked for a relation that waits for the other side's answer; null once it was agreed, or when nobody asked.
  applicant_id bigint,
  applied_at timestamptz not null default now(),
  apply_note text,
  decided_by text,
  decided_at timestamptz,
  opinion text,
  mnemonic text,
  email text,
  invoice_title text,
  tax_no text,
  bank_name text,
  bank_account text,
  invoice_contact text,
  attachments text[] not null default '{}',
  dealer_level text,
  upper_dealer_id bigint,
  sales_area text,
  price_level text,
  manager_id bigint,
  delivery_address text,
  end_reason text,
  -- What kind of taxpayer a partner is, as far as its file says: a special invoice is made out to general taxpayers
  -- alone.
  taxpayer_kind text,
  status text not null default 'enabled',
  version int not null default 1,
  constraint org_relation_pk primary key (id),
  constraint org_relation_once unique (org_id, partner_id, relation),
  constraint org_relation_org foreign key (org_id) references organisation (id),
  constraint org_relation_partner foreign key (partner_id) references organisation (id)
);
create index org_relation_partner_ix on org_relation (partner_id);
grant select, insert, update, delete on org_relation to :app_role;

-- Self-registrations, kept by the platform. The registrant's account exists from here on and becomes a user when the
-- platform passes or matches it.
create table registration (
  org_id bigint not null,
  id bigint not null default nextval('reference_id_seq'),
  code text not null,
  system_type smallint not null,
  name text not null,
  alias text,
  social_credit_code text not null,
  administrative_division_sn text,
  address text not null,
  registrant text not null,
  registrant_phone text not null,
  registrant_email text,
  description text,
  password_hash text not null,
  state text not null default 'pending',
  reason text,
  matched_id bigint,
  applied_at timestamptz not null default posting_now(),
  decided_by text,
  decided_at timestamptz,
  division_name text not null default '',
  inviter_id bigint,
  invitation_id bigint,
  invitation_notified_at timestamptz,
  attachments text[] not null default '{}',
  scans_stored_at timestamptz,
  version int not null default 1,
  constraint registration_pk primary key (org_id, id),
  constraint registration_code unique (org_id, code),
  constraint registration_state check (state in ('pending', 'passed', 'refused')),
  constraint registration_type check (system_type between 1 and 3)
);
create index registration_list on registration (org_id, state, id desc);
create index registration_phone on registration (org_id, registrant_phone, id desc);
create unique index registration_open_phone on registration (org_id, registrant_phone) where state = 'pending';
create unique index registration_open_credit on registration (org_id, system_type, social_credit_code)
  where state = 'pending';
create index registration_invited on registration (org_id, id)
  where invitation_id is not null and invitation_notified_at is null;
create index registration_scans on registration (org_id, id) where attachments <> '{}' and scans_stored_at is null;
call isolate_by_organisation('registration');
grant select, insert, update, delete on registration to :app_role;

-- Scans that a stranger sends along with a registration. Until it is handed in they hang on a draft, known by the
-- hash of its name; what is never handed in is swept away after a day. Handed in, they are files of the platform, and
-- once it passed files of the organisation too.
create table registration_draft (
  token_hash text not null,
  name text not null,
  original_name text not null,
  content_type text not null,
  size bigint not null,
  digest text not null,
  at timestamptz not null default now(),
  constraint registration_draft_pk primary key (token_hash, name)
);
create index registration_draft_at on registration_draft (at);
grant select, insert, update, delete on registration_draft to :app_role;

-- A dealer is invited by a link that serves once and for some days; what was agreed on stands when its registration
-- has passed.
create table dealer_invitation (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  token text not null,
  name text not null,
  social_credit_code text,
  registrant text,
  registrant_phone text,
  dealer_level text,
  sales_area text,
  price_level text,
  credit_limit numeric(18,2),
  payment_days int not null default 0,
  settlement_method text not null default 'monthly',
  products text[] not null default '{}',
  area text,
  authorisation_no text,
  valid_from date,
  valid_to date,
  remark text,
  expires_on date not null,
  state text not null default 'open',
  partner_id bigint,
  reason text,
  invited_by text,
  invited_at timestamptz not null default now(),
  version int not null default 1,
  constraint dealer_invitation_pk primary key (org_id, id),
  constraint dealer_invitation_token unique (org_id, token)
);
call isolate_by_organisation('dealer_invitation');
grant select, insert, update, delete on dealer_invitation to :app_role;
