-- The house's one schema. Every tenant table begins its keys with org_id; trace tables live by lot, codes by code,
-- sessions by token; reference tables are small and shared. Nothing here is newer than PostgreSQL 15.
create extension if not exists pg_trgm;

-- Row-level security asks for the organisation that act_as() set in this transaction, and for nothing else.
create function act_as(p_org bigint, p_user bigint) returns void language plpgsql as $$
begin
  execute format('set local app.org_id = %L', p_org);
  execute format('set local app.user_id = %L', p_user);
end $$;

-- The posting instant: the server's, unless the transaction was given another clock (tests, the demo's simulation).
create function posting_now() returns timestamptz language sql stable as $$
  select coalesce(nullif(current_setting('app.now', true), '')::timestamptz, now())
$$;

create sequence reference_id_seq start 1001;
-- Not cached: lists show the newest paper first by its id, and cached ids of several connections run side by side.
create sequence row_id_seq start 100001 cache 1;
create sequence ledger_id_seq start 1 cache 2000;

-- ---------------------------------------------------------------- reference tables
create table organisation (
  id bigint not null default nextval('reference_id_seq'),
  code text not null, name text not null, alias text, system_type smallint not null,
  social_credit_code text not null, administrative_division_sn text, address text not null default '',
  legal_person text, registrant text, registrant_phone text, registrant_email text, description text,
  hospital_level text, nature text, gln text, bank_name text, bank_account text,
  audit_state text not null default 'passed', audit_reason text, pinyin text not null default '',
  status text not null default 'enabled', version int not null default 1,
  constraint organisation_pk primary key (id),
  constraint organisation_code unique (code),
  constraint organisation_credit unique (system_type, social_credit_code),
  constraint organisation_type check (system_type between 0 and 3));
create index organisation_name_trgm on organisation using gin ((name || ' ' || pinyin) gin_trgm_ops);

create table org_relation (
  id bigint not null default nextval('reference_id_seq'),
  org_id bigint not null, partner_id bigint not null, relation text not null,
  authorisation_no text, valid_from date, valid_to date, default_tax_rate smallint not null default 13,
  settlement_method text not null default 'monthly', payment_days int not null default 0, credit_limit numeric(18,2),
  contact text, phone text, remark text,
  status text not null default 'enabled', version int not null default 1,
  constraint org_relation_pk primary key (id),
  constraint org_relation_once unique (org_id, partner_id, relation),
  constraint org_relation_org foreign key (org_id) references organisation (id),
  constraint org_relation_partner foreign key (partner_id) references organisation (id));
create index org_relation_partner_ix on org_relation (partner_id);

create table product (
  id bigint not null default nextval('reference_id_seq'),
  code text not null, name text not null, generic_name text, english_name text, brand text,
  manufacturer_id bigint not null, registrant_name text, country text,
  device_class text not null, class_code text, class_code_2002 text, custom_type text,
  is_high_value boolean not null default false, is_implant boolean not null default false, is_interventional boolean not null default false,
  is_sterile boolean not null default false, is_single_use boolean not null default true, is_reagent boolean not null default false,
  is_cold_chain boolean not null default false, is_unit_coded boolean not null default false,
  storage_condition text, shelf_life_months int, base_unit text not null, tax_rate smallint not null default 13,
  scope text, structure text, pinyin text not null default '',
  status text not null default 'self_built', built_by_id bigint, version int not null default 1,
  constraint product_pk primary key (id), constraint product_code unique (code),
  constraint product_manufacturer foreign key (manufacturer_id) references organisation (id));
create index product_name_trgm on product using gin ((name || ' ' || pinyin || ' ' || code) gin_trgm_ops);
create index product_manufacturer_ix on product (manufacturer_id);

create table registration_certificate (
  id bigint not null default nextval('reference_id_seq'),
  certificate_no text not null, certificate_kind text not null default 'registration', product_name text not null, holder_org_id bigint not null,
  registrant_name text, agent_name text, country text, production_address text, device_class text not null, class_code text,
  approval_department text, approved_on date, valid_from date not null, valid_to date, previous_certificate_no text,
  renewal_state text, structure text, scope text, attachments text[] not null default '{}',
  audit_state text not null default 'passed', status text not null default 'enabled', version int not null default 1,
  constraint registration_certificate_pk primary key (id),
  constraint registration_certificate_once unique (certificate_no, valid_from),
  constraint registration_certificate_holder foreign key (holder_org_id) references organisation (id));

create table specification (
  id bigint not null default nextval('reference_id_seq'),
  code text not null, product_id bigint not null, name text not null, model text, udi_di text,
  registration_certificate_id bigint, unit_name text not null, minimum_sales_unit text,
  price numeric(18,4) not null default 0, tax_rate smallint not null default 13,
  insurance_code text, his_code text, lot_required boolean not null default true, serial_required boolean not null default false,
  expiry_required boolean not null default true, attachments text[] not null default '{}',
  status text not null default 'released', version int not null default 1,
  constraint specification_pk primary key (id), constraint specification_code unique (code),
  constraint specification_product foreign key (product_id) references product (id),
  constraint specification_certificate foreign key (registration_certificate_id) references registration_certificate (id));
create unique index specification_di on specification (udi_di) where udi_di is not null;
create index specification_product_ix on specification (product_id);
create index specification_name_trgm on specification using gin ((name || ' ' || code || ' ' || coalesce(model, '')) gin_trgm_ops);

-- "1 unit = measure x 1 parent"; the parent is the smaller unit. The base unit is the specification's own and has no row.
create table pack_unit (
  id bigint not null default nextval('reference_id_seq'),
  specification_id bigint not null, parent_id bigint, name text not null, measure int not null, udi_di text,
  base_measure int not null, status text not null default 'enabled', version int not null default 1,
  constraint pack_unit_pk primary key (id),
  constraint pack_unit_specification foreign key (specification_id) references specification (id),
  constraint pack_unit_parent foreign key (parent_id) references pack_unit (id),
  constraint pack_unit_once unique (specification_id, name),
  constraint pack_unit_measure check (measure > 0 and base_measure > 0));
create unique index pack_unit_di on pack_unit (udi_di) where udi_di is not null;

-- The bare identity of a lot; its dates are each keeper's (stock_lot).
create table lot (
  id bigint not null default nextval('reference_id_seq'),
  specification_id bigint not null, lot_no text not null,
  constraint lot_pk primary key (id), constraint lot_once unique (specification_id, lot_no),
  constraint lot_specification foreign key (specification_id) references specification (id));
create index lot_no_ix on lot (lot_no);

create table app_user (
  id bigint not null default nextval('reference_id_seq'),
  org_id bigint not null, login text not null, password_hash text not null, name text not null, phone text,
  employee_id bigint, must_change boolean not null default false, password_changed_at timestamptz not null default now(), password_cycle int not null default 90,
  is_administrator boolean not null default false, status text not null default 'enabled', version int not null default 1,
  constraint app_user_pk primary key (id), constraint app_user_login unique (login),
  constraint app_user_org foreign key (org_id) references organisation (id));
create index app_user_org_ix on app_user (org_id);

create table role (
  id bigint not null default nextval('reference_id_seq'),
  org_id bigint not null, name text not null, description text, flags text[] not null default '{}', is_system boolean not null default false,
  status text not null default 'enabled', version int not null default 1,
  constraint role_pk primary key (id), constraint role_once unique (org_id, name),
  constraint role_org foreign key (org_id) references organisation (id));
create table user_role (
  user_id bigint not null, role_id bigint not null,
  constraint user_role_pk primary key (user_id, role_id),
  constraint user_role_user foreign key (user_id) references app_user (id) on delete cascade,
  constraint user_role_role foreign key (role_id) references role (id));

-- ---------------------------------------------------------------- sessions, by token
create table session (
  token_hash text not null, user_id bigint not null, org_id bigint not null, r_id text not null,
  created_at timestamptz not null default now(), seen_at timestamptz not null default now(), expires_at timestamptz not null,
  address text, agent text,
  constraint session_pk primary key (token_hash));
create index session_user_ix on session (user_id);
create table sign_in_failure (
  org_id bigint not null default 0, id bigint not null default nextval('row_id_seq'), login text not null, address text not null, at timestamptz not null default now(),
  constraint sign_in_failure_pk primary key (org_id, id));
create index sign_in_failure_login on sign_in_failure (org_id, login, at);
create index sign_in_failure_address on sign_in_failure (org_id, address, at);

-- ---------------------------------------------------------------- tenant records
create table setting (
  org_id bigint not null, name text not null, value jsonb not null,
  constraint setting_pk primary key (org_id, name));

create table department (
  org_id bigint not null, id bigint not null default nextval('reference_id_seq'),
  code text not null, name text not null, parent_id bigint, department_kind text, his_code text, cost_centre text, sort_no int not null default 0, pinyin text not null default '',
  status text not null default 'enabled', version int not null default 1,
  constraint department_pk primary key (org_id, id), constraint department_code unique (org_id, code),
  constraint department_parent foreign key (org_id, parent_id) references department (org_id, id));

create table employee (
  org_id bigint not null, id bigint not null default nextval('reference_id_seq'),
  code text not null, name text not null, department_id bigint, sex text, position text, title text, phone text, email text, his_staff_no text,
  is_surgeon boolean not null default false, entry_date date, photo_url text, description text, pinyin text not null default '',
  status text not null default 'enabled', version int not null default 1,
  constraint employee_pk primary key (org_id, id), constraint employee_code unique (org_id, code),
  constraint employee_department foreign key (org_id, department_id) references department (org_id, id));

create table warehouse (
  org_id bigint not null, id bigint not null default nextval('reference_id_seq'),
  code text not null, name text not null, model text not null, type smallint not null default 3,
  department_id bigint, parent_id bigint, manager_id bigint, storage text, address text, use_locations boolean not null default false, remark text,
  status text not null default 'enabled', version int not null default 1,
  constraint warehouse_pk primary key (org_id, id), constraint warehouse_code unique (org_id, code),
  constraint warehouse_model check (model in ('central','ward','cabinet','consigned','virtual','transit','consumed','stopSale','leased')),
  constraint warehouse_department foreign key (org_id, department_id) references department (org_id, id));

-- Which stores and departments a user is bound to; an administrator needs no rows.
create table user_scope (
  org_id bigint not null, user_id bigint not null, warehouse_id bigint not null,
  constraint user_scope_pk primary key (org_id, user_id, warehouse_id));

-- An archive: each organisation keeps its own papers (holder = itself) and its copies of its partners' papers.
create table licence (
  org_id bigint not null, id bigint not null default nextval('reference_id_seq'), holder_id bigint not null,
  licence_type text not null, licence_no text not null, issuer text, issued_on date, valid_from date not null, valid_to date, long_term boolean not null default false,
  scope text, grantor_id bigint, grantee_id bigint, authorised_hospital_id bigint, person_name text, attachments text[] not null default '{}',
  audit_state text not null default 'passed', remark text, status text not null default 'enabled', version int not null default 1,
  constraint licence_pk primary key (org_id, id), constraint licence_once unique (org_id, holder_id, licence_type, licence_no, valid_from));

create table hospital_product (
  org_id bigint not null, id bigint not null default nextval('reference_id_seq'),
  specification_id bigint not null, admission_state text not null default 'admitted', admission_no text, admitted_on date,
  regime text not null default 'purchased', is_unit_coded boolean not null default false, supplier_id bigint,
  purchase_price numeric(18,4) not null default 0, tax_rate smallint not null default 13, markup_rate numeric(9,4) not null default 0,
  charge_price numeric(18,4), is_chargeable boolean not null default false, his_code text, his_charge_code text, insurance_code text,
  minimum numeric(18,3), maximum numeric(18,3), expiry_warning_days int not null default 180, default_warehouse_id bigint, accounting_class text,
  status text not null default 'enabled', version int not null default 1,
  constraint hospital_product_pk primary key (org_id, id), constraint hospital_product_once unique (org_id, specification_id),
  constraint hospital_product_specification foreign key (specification_id) references specification (id),
  constraint hospital_product_markup check (markup_rate >= 0));

create table dealer_product (
  org_id bigint not null, id bigint not null default nextval('reference_id_seq'),
  specification_id bigint not null, supplier_id bigint, purchase_price numeric(18,4) not null default 0, sale_price numeric(18,4) not null default 0, tax_rate smallint not null default 13,
  minimum numeric(18,3), maximum numeric(18,3), default_warehouse_id bigint, is_unit_coded boolean not null default false,
  status text not null default 'enabled', version int not null default 1,
  constraint dealer_product_pk primary key (org_id, id), constraint dealer_product_once unique (org_id, specification_id),
  constraint dealer_product_specification foreign key (specification_id) references specification (id));

-- Agreed prices of this organisation with a partner; the effective one on a day is the one whose interval holds it.
create table price_agreement (
  org_id bigint not null, id bigint not null default nextval('reference_id_seq'),
  seller_id bigint not null, buyer_id bigint not null, specification_id bigint not null, price numeric(18,4) not null, tax_rate smallint not null default 13,
  contract_no text, lead_days int, is_preferred boolean not null default true,
  valid_from date not null, valid_to date, status text not null default 'enabled', version int not null default 1,
  constraint price_agreement_pk primary key (org_id, id),
  constraint price_agreement_once unique (org_id, seller_id, buyer_id, specification_id, valid_from));

-- ---------------------------------------------------------------- papers
create table numbering (
  org_id bigint not null, kind text not null, day date not null, last bigint not null,
  constraint numbering_pk primary key (org_id, kind, day));

create table document (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  kind text not null, sn text not null, role text not null default 'own', from_org_id bigint not null,
  state text not null, version int not null default 1,
  counterparty_id bigint, warehouse_id bigint, to_warehouse_id bigint, department_id bigint, handler_id bigint,
  business_date date not null, regime text, source_type smallint not null default 0, source_sn text, source_org_id bigint, source_document_id bigint, red_of_id bigint,
  untaxed_amount numeric(18,2) not null default 0, tax_amount numeric(18,2) not null default 0, taxed_amount numeric(18,2) not null default 0,
  line_count int not null default 0, total_quantity numeric(18,3) not null default 0,
  remark text, attachments text[] not null default '{}', fields jsonb not null default '{}',
  touched boolean not null default false, last_line_no int not null default 0,
  created_by bigint, created_at timestamptz not null default posting_now(),
  submitted_by bigint, submitted_at timestamptz, reviewed_by bigint, reviewed_at timestamptz,
  constraint document_pk primary key (org_id, id),
  constraint document_sn unique (org_id, from_org_id, sn),
  constraint document_role check (role in ('own', 'counterparty')));
create index document_list on document (org_id, kind, role, id desc);
create index document_state on document (org_id, kind, role, state, id desc);
create index document_partner on document (org_id, kind, counterparty_id, id desc);
-- Prefixes of numbers are ranges in byte order, whatever the database's own order is.
create index document_number on document (org_id, kind, sn collate "C");
create index document_state_date on document (org_id, kind, role, state, business_date desc, id desc);
create index document_date on document (org_id, kind, business_date desc, id desc);
create index document_source on document (org_id, source_document_id) where source_document_id is not null;
create index document_red on document (org_id, red_of_id) where red_of_id is not null;
create index document_waiting on document (org_id, state, kind) where state in ('draft', 'submitted', 'rejected');

create table document_line (
  org_id bigint not null, document_id bigint not null, line_no int not null,
  specification_id bigint, lot_id bigint, lot_no text, production_date date, expiry_date date, unit_codes text[] not null default '{}',
  unit_id bigint, quantity numeric(18,3) not null default 0, base_quantity numeric(18,3) not null default 0,
  price numeric(18,4) not null default 0, tax_rate smallint not null default 0,
  untaxed_amount numeric(18,2) not null default 0, tax_amount numeric(18,2) not null default 0, taxed_amount numeric(18,2) not null default 0,
  owner_org_id bigint, quality_state text, location text,
  source_sn text, source_org_id bigint, source_document_id bigint, source_line_no int,
  order_document_id bigint, order_line_no int, delivery_document_id bigint, delivery_line_no int,
  remark text, fields jsonb not null default '{}',
  constraint document_line_pk primary key (org_id, document_id, line_no),
  constraint document_line_document foreign key (org_id, document_id) references document (org_id, id));
create index document_line_source on document_line (org_id, source_document_id) where source_document_id is not null;
create index document_line_delivery on document_line (org_id, delivery_document_id) where delivery_document_id is not null;
create index document_line_order on document_line (org_id, order_document_id) where order_document_id is not null;
create index document_line_specification on document_line (org_id, specification_id, document_id);
create index document_line_lot on document_line (org_id, lot_no, document_id) where lot_no is not null;

-- How much of each line has been taken for each purpose; line 0 is the sum over the paper.
create table line_progress (
  org_id bigint not null, document_id bigint not null, line_no int not null, purpose text not null, taken numeric(18,3) not null,
  constraint line_progress_pk primary key (org_id, document_id, line_no, purpose),
  constraint line_progress_never_negative check (taken >= 0),
  constraint line_progress_document foreign key (org_id, document_id) references document (org_id, id));

create table document_history (
  org_id bigint not null, document_id bigint not null, seq int not null, action text not null, label text not null,
  from_state text, to_state text, actor_id bigint, actor_name text not null, actor_org_name text, reason text, confirmed jsonb, at timestamptz not null default posting_now(),
  constraint document_history_pk primary key (org_id, document_id, seq),
  constraint document_history_document foreign key (org_id, document_id) references document (org_id, id));

create table request (
  org_id bigint not null, user_id bigint not null, request_id text not null, fingerprint text not null, reply jsonb, at timestamptz not null default now(),
  constraint request_pk primary key (org_id, user_id, request_id));
create index request_at on request (at);

-- ---------------------------------------------------------------- stock ledger
create table stock_lot (
  org_id bigint not null, lot_id bigint not null, specification_id bigint not null, production_date date, expiry_date date,
  constraint stock_lot_pk primary key (org_id, lot_id));
create index stock_lot_expiry on stock_lot (org_id, expiry_date, specification_id, lot_id);

create table stock_move (
  org_id bigint not null, id bigint not null default nextval('ledger_id_seq'),
  warehouse_id bigint not null, location text not null default '', specification_id bigint not null, lot_id bigint not null,
  owner_id bigint not null, quality_state text not null, quantity numeric(18,3) not null, value numeric(18,2) not null,
  step text not null, document_id bigint not null, line_no int not null, undo_of bigint, business_date date not null, at timestamptz not null default posting_now(),
  constraint stock_move_pk primary key (org_id, id));
create index stock_move_document on stock_move (org_id, document_id);
create index stock_move_lot on stock_move (org_id, lot_id, id);
create index stock_move_day on stock_move using brin (business_date);

create table stock_balance (
  org_id bigint not null, warehouse_id bigint not null, location text not null, specification_id bigint not null, lot_id bigint not null,
  owner_id bigint not null, quality_state text not null, quantity numeric(18,3) not null, value numeric(18,2) not null,
  constraint stock_balance_pk primary key (org_id, warehouse_id, location, specification_id, lot_id, owner_id, quality_state),
  constraint stock_balance_never_negative check (quantity >= 0))
  with (fillfactor = 80);
create index stock_balance_lot on stock_balance (org_id, lot_id);
create index stock_balance_specification on stock_balance (org_id, specification_id);

create table reservation (
  org_id bigint not null, document_id bigint not null, line_no int not null,
  warehouse_id bigint not null, location text not null, specification_id bigint not null, lot_id bigint not null, owner_id bigint not null, quality_state text not null,
  quantity numeric(18,3) not null, unit_codes text[] not null default '{}',
  constraint reservation_pk primary key (org_id, document_id, line_no),
  constraint reservation_positive check (quantity > 0));
create index reservation_key on reservation (org_id, warehouse_id, specification_id, lot_id);

-- Own goods that lie with a customer on consignment: a memo beside the ledger, moved by hand-overs.
create table consigned_out (
  org_id bigint not null, customer_id bigint not null, specification_id bigint not null, lot_id bigint not null,
  quantity numeric(18,3) not null, value numeric(18,2) not null,
  constraint consigned_out_pk primary key (org_id, customer_id, specification_id, lot_id),
  constraint consigned_out_never_negative check (quantity >= 0));
create table consigned_move (
  org_id bigint not null, id bigint not null default nextval('ledger_id_seq'),
  customer_id bigint not null, specification_id bigint not null, lot_id bigint not null, quantity numeric(18,3) not null, value numeric(18,2) not null,
  document_id bigint not null, line_no int not null, step text not null, at timestamptz not null default posting_now(),
  constraint consigned_move_pk primary key (org_id, id));

-- ---------------------------------------------------------------- account ledger
create table account_entry (
  org_id bigint not null, id bigint not null default nextval('ledger_id_seq'),
  counterparty_id bigint not null, account text not null, amount numeric(18,2) not null,
  document_id bigint not null, line_no int not null, undo_of bigint, business_date date not null, at timestamptz not null default posting_now(),
  constraint account_entry_pk primary key (org_id, id));
create index account_entry_document on account_entry (org_id, document_id);
create index account_entry_partner on account_entry (org_id, counterparty_id, id);
create table account_balance (
  org_id bigint not null, counterparty_id bigint not null, account text not null, amount numeric(18,2) not null,
  constraint account_balance_pk primary key (org_id, counterparty_id, account));

-- ---------------------------------------------------------------- settlement lines
create table settlement_line (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  use_document_id bigint not null, use_line_no int not null, owner_id bigint not null, specification_id bigint not null, lot_id bigint not null, unit_code text,
  quantity numeric(18,3) not null, price numeric(18,4), tax_rate smallint not null, amount numeric(18,2) not null default 0,
  used_at timestamptz not null, department_id bigint, warehouse_id bigint,
  state text not null default 'waiting', settlement_id bigint, settlement_line_no int, nets_id bigint,
  constraint settlement_line_pk primary key (org_id, id),
  constraint settlement_line_use foreign key (org_id, use_document_id) references document (org_id, id));
create index settlement_line_open on settlement_line (org_id, owner_id, state, used_at);
create index settlement_line_use_ix on settlement_line (org_id, use_document_id);
create index settlement_line_settlement on settlement_line (org_id, settlement_id) where settlement_id is not null;

-- ---------------------------------------------------------------- hand-overs, jobs, messages
create table hand_over (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  to_org_id bigint not null, message text not null, document_id bigint not null, payload jsonb not null,
  created_at timestamptz not null default posting_now(), delivered_at timestamptz, attempts int not null default 0, last_error text, next_at timestamptz not null default now(),
  -- When the other side let go of its copy, and when our own step then followed: between the two the copy is lost to both.
  withdrawn_at timestamptz, taken_back_at timestamptz,
  constraint hand_over_pk primary key (org_id, id));
create index hand_over_waiting on hand_over (next_at) where delivered_at is null;
create index hand_over_document on hand_over (org_id, document_id);
create index hand_over_let_go on hand_over (withdrawn_at) where withdrawn_at is not null and taken_back_at is null;
create table hand_over_taken (
  org_id bigint not null, from_org_id bigint not null, hand_over_id bigint not null, at timestamptz not null default now(),
  constraint hand_over_taken_pk primary key (org_id, from_org_id, hand_over_id));
create table message (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'), user_id bigint,
  title text not null, body text not null, uri text not null, object_id text, extra jsonb not null default '{}', at timestamptz not null default posting_now(), read_at timestamptz,
  constraint message_pk primary key (org_id, id));
create index message_list on message (org_id, id desc);
create table table_layout (
  org_id bigint not null, user_id bigint not null, project_name text not null, table_id text not null, columns jsonb not null,
  constraint table_layout_pk primary key (org_id, user_id, project_name, table_id));
create table operation_log (
  org_id bigint not null, id bigint not null default nextval('ledger_id_seq'),
  user_id bigint, actor_name text not null, subject text not null, action text not null, object_key text, before jsonb, after jsonb, address text, at timestamptz not null default posting_now(),
  constraint operation_log_pk primary key (org_id, id));

-- ---------------------------------------------------------------- trace, by lot
create sequence unit_id_seq start 1 cache 2000;
create sequence trace_seq start 1 cache 1;
create table unit (
  lot_id bigint not null, id bigint not null default nextval('unit_id_seq'),
  specification_id bigint not null, status text not null, holder_org_id bigint, warehouse_id bigint, store text, place text, owner_id bigint,
  parent_id bigint, use_org_id bigint, use_id bigint, under text,
  constraint unit_pk primary key (lot_id, id));
create index unit_holder on unit (holder_org_id, warehouse_id, specification_id) where id > 0;
create index unit_status on unit (lot_id, status, holder_org_id);
create table trace_event (
  lot_id bigint not null, unit_id bigint not null, seq bigint not null default nextval('trace_seq'),
  step text not null, org_id bigint not null, from_org_id bigint, from_place text, to_org_id bigint, to_place text,
  from_warehouse_id bigint, to_warehouse_id bigint,
  quantity numeric(18,3) not null, document_kind text not null, document_sn text not null, line_no int not null, actor text, undo_of bigint, before jsonb, at timestamptz not null default posting_now(),
  constraint trace_event_pk primary key (lot_id, unit_id, seq));
create index trace_event_document on trace_event (lot_id, document_sn);
-- Units named on arrival of goods that were counted by lot before: few, and asked for by every recall.
create index trace_event_named on trace_event (lot_id) where unit_id > 0 and from_org_id is not null and before->>'status' = 'void';
create table lot_org (
  lot_id bigint not null, org_id bigint not null, first_at timestamptz not null default posting_now(),
  constraint lot_org_pk primary key (lot_id, org_id));
-- `code` is the key of the whole network: a canonical UDI, or issuer:code for in-house codes; `bare` is what is printed.
create table unit_code (
  code text not null, bare text not null, lot_id bigint not null, unit_id bigint not null, kind text not null, issuer_org_id bigint,
  constraint unit_code_pk primary key (code));
create index unit_code_bare on unit_code (bare);
create index unit_code_unit on unit_code (lot_id, unit_id);

-- ---------------------------------------------------------------- isolation
do $$ declare t text; begin
  foreach t in array array['setting','department','employee','warehouse','user_scope','licence','hospital_product','dealer_product','price_agreement',
    'numbering','document','document_line','line_progress','document_history','request','stock_lot','stock_move','stock_balance','reservation',
    'consigned_out','consigned_move','account_entry','account_balance','settlement_line','hand_over','hand_over_taken','message','table_layout','operation_log'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy own_rows on %I using (org_id = current_setting(''app.org_id'')::bigint) with check (org_id = current_setting(''app.org_id'')::bigint)', t);
  end loop;
end $$;
alter table sign_in_failure enable row level security;
create policy everyone on sign_in_failure using (true) with check (true);

grant usage on schema public to :app_role;
grant usage on all sequences in schema public to :app_role;
grant select, insert, update, delete on all tables in schema public to :app_role;
-- Ledgers only grow: the application's role cannot change or take back what stands in them.
revoke update, delete on stock_move, account_entry, consigned_move, trace_event, operation_log, document_history from :app_role;
revoke delete on unit, unit_code, lot, lot_org, hand_over, hand_over_taken, document from :app_role;
revoke all on schema_version from :app_role;
