-- Partners: who asked and who answered, what invoices need, how a maker leads its dealers, what organisations want changed in their own file.
alter table organisation add column uses_system boolean not null default true;
alter table organisation add column created_at timestamptz not null default now();

alter table org_relation add column applied_at timestamptz not null default now();
alter table org_relation add column apply_note text;
alter table org_relation add column decided_by text;
alter table org_relation add column decided_at timestamptz;
alter table org_relation add column opinion text;
alter table org_relation add column mnemonic text;
alter table org_relation add column email text;
alter table org_relation add column invoice_title text;
alter table org_relation add column tax_no text;
alter table org_relation add column bank_name text;
alter table org_relation add column bank_account text;
alter table org_relation add column invoice_contact text;
alter table org_relation add column attachments text[] not null default '{}';
alter table org_relation add column dealer_level text;
alter table org_relation add column upper_dealer_id bigint;
alter table org_relation add column sales_area text;
alter table org_relation add column price_level text;
alter table org_relation add column manager_id bigint;
alter table org_relation add column delivery_address text;
alter table org_relation add column end_reason text;
-- What was asked for stood among the remarks; a refusal's reason too.
update org_relation set apply_note = remark where status = 'pending';

-- Which products of ours a dealer may sell to which hospital, in which area, alone or beside others.
create table dealer_authorisation (
  org_id bigint not null, id bigint not null default nextval('reference_id_seq'),
  dealer_id bigint not null, product_id bigint not null, hospital_id bigint, area text, is_exclusive boolean not null default false,
  authorisation_no text not null, valid_from date not null, valid_to date not null, remark text,
  status text not null default 'enabled', version int not null default 1,
  constraint dealer_authorisation_pk primary key (org_id, id),
  constraint dealer_authorisation_relation foreign key (dealer_id) references org_relation (id),
  constraint dealer_authorisation_product foreign key (product_id) references product (id),
  constraint dealer_authorisation_days check (valid_to >= valid_from));
create index dealer_authorisation_product_ix on dealer_authorisation (org_id, product_id, valid_to);
create index dealer_authorisation_dealer on dealer_authorisation (org_id, dealer_id, id desc);
alter table dealer_authorisation enable row level security;
create policy own_rows on dealer_authorisation using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);

-- Changes of an organisation's own file wait for the platform; what stood before is kept by its last day.
create table org_change (
  id bigint not null default nextval('reference_id_seq'),
  code text not null, change_type text not null, organisation_id bigint not null, name text, alias text, social_credit_code text,
  administrative_division_sn text, address text, legal_person text, registrant text, registrant_phone text, registrant_email text,
  bank_name text, bank_account text, note text, attachments text[] not null default '{}',
  changed text not null default '', before_text text not null default '', after_text text not null default '',
  applied_by text, applied_at timestamptz not null default now(),
  state text not null default 'pending', decided_by text, decided_at timestamptz, reason text, version int not null default 1,
  constraint org_change_pk primary key (id), constraint org_change_code unique (code),
  constraint org_change_organisation foreign key (organisation_id) references organisation (id),
  constraint org_change_state check (state in ('pending', 'passed', 'refused')));
create unique index org_change_open on org_change (organisation_id, change_type) where state = 'pending';
create index org_change_list on org_change (state, id desc);
create table organisation_past (
  id bigint not null default nextval('reference_id_seq'),
  organisation_id bigint not null, until_day date not null, name text not null, former jsonb not null,
  constraint organisation_past_pk primary key (id),
  constraint organisation_past_organisation foreign key (organisation_id) references organisation (id));
create index organisation_past_ix on organisation_past (organisation_id, until_day);

grant select, insert, update, delete on dealer_authorisation, org_change to :app_role;
grant select, insert on organisation_past to :app_role;
