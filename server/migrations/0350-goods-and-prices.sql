-- What each organisation keeps of goods: its own catalogue, types, codes and prices.

-- A hospital's catalogue: which sizes it admitted, and how it buys, keeps and charges them.
create table hospital_product (
  org_id bigint not null,
  id bigint not null default nextval('reference_id_seq'),
  specification_id bigint not null,
  admission_state text not null default 'admitted',
  admission_no text,
  admitted_on date,
  regime text not null default 'purchased',
  is_unit_coded boolean not null default false,
  supplier_id bigint,
  purchase_price numeric(18,4) not null default 0,
  tax_rate smallint not null default 13,
  markup_rate numeric(9,6) not null default 0,
  charge_price numeric(18,4),
  is_chargeable boolean not null default false,
  his_code text,
  his_charge_code text,
  insurance_code text,
  minimum numeric(18,3),
  maximum numeric(18,3),
  expiry_warning_days int not null default 180,
  default_warehouse_id bigint,
  accounting_class text,
  admitted_until date,
  -- What the province lists a product at, under which code, and what a hospital promised to buy of it in a
  -- volume-based procurement.
  listing_code text,
  listed_price numeric(18,4),
  collective_batch text,
  collective_from date,
  collective_to date,
  agreed_quantity numeric(18,3),
  open_vial_days int,
  tests_per_kit int,
  -- 临时采购: what was admitted for one purchase is admitted for so many, in base units.
  admitted_limit numeric(18,3),
  status text not null default 'enabled',
  version int not null default 1,
  constraint hospital_product_pk primary key (org_id, id),
  constraint hospital_product_once unique (org_id, specification_id),
  constraint hospital_product_specification foreign key (specification_id) references specification (id),
  constraint hospital_product_listed check (listed_price is null or listed_price > 0),
  constraint hospital_product_markup check (markup_rate >= 0)
);
call isolate_by_organisation('hospital_product');
grant select, insert, update, delete on hospital_product to :app_role;

-- A dealer's catalogue: which sizes it trades, at what prices.
create table dealer_product (
  org_id bigint not null,
  id bigint not null default nextval('reference_id_seq'),
  specification_id bigint not null,
  supplier_id bigint,
  purchase_price numeric(18,4) not null default 0,
  sale_price numeric(18,4) not null default 0,
  tax_rate smallint not null default 13,
  minimum numeric(18,3),
  maximum numeric(18,3),
  default_warehouse_id bigint,
  is_unit_coded boolean not null default false,
  own_code text,
  lowest_price numeric(18,4),
  sales_tax_rate smallint,
  default_location text,
  is_consigned boolean not null default false,
  remark text,
  status text not null default 'enabled',
  version int not null default 1,
  constraint dealer_product_pk primary key (org_id, id),
  constraint dealer_product_once unique (org_id, specification_id),
  constraint dealer_product_specification foreign key (specification_id) references specification (id)
);
call isolate_by_organisation('dealer_product');
grant select, insert, update, delete on dealer_product to :app_role;

-- What an organisation said of a mapped size was said of the other once; what it took out since is not brought back.
create table carried_size (
  org_id bigint not null,
  kept text not null,
  row_id bigint not null,
  specification_id bigint not null,
  constraint carried_size_pk primary key (org_id, kept, row_id, specification_id)
);
call isolate_by_organisation('carried_size');
grant select on carried_size to :app_role;

-- An organisation's own trees: its grouping of goods, and a hospital's trees for accounts, management and purchasing.
create table custom_type (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  tree text not null default 'own',
  code text not null,
  name text not null,
  parent_id bigint,
  sort_no int not null default 0,
  default_warehouse_id bigint,
  markup_rate numeric(9,6),
  is_high_value boolean not null default false,
  account_code text,
  account_name text,
  managed_by text,
  fee_class text,
  is_chargeable boolean not null default false,
  created_by text,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  remark text,
  status text not null default 'enabled',
  version int not null default 1,
  constraint custom_type_pk primary key (org_id, id),
  constraint custom_type_code unique (org_id, tree, code),
  constraint custom_type_parent foreign key (org_id, parent_id) references custom_type (org_id, id),
  constraint custom_type_tree check (tree in ('own', 'account', 'management', 'purchase'))
);
create unique index custom_type_brothers on custom_type (org_id, tree, parent_id, name) nulls not distinct;
call isolate_by_organisation('custom_type');
grant select, insert, update, delete on custom_type to :app_role;

-- Which leaf of each tree a specification hangs on, and since when; what it was before is kept with its last day.
create table typed_product (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  tree text not null,
  custom_type_id bigint not null,
  specification_id bigint not null,
  valid_from date not null,
  valid_to date,
  by_name text not null,
  at timestamptz not null default now(),
  version int not null default 1,
  constraint typed_product_pk primary key (org_id, id),
  constraint typed_product_type foreign key (org_id, custom_type_id) references custom_type (org_id, id),
  constraint typed_product_specification foreign key (specification_id) references specification (id)
);
create unique index typed_product_now on typed_product (org_id, tree, specification_id) where valid_to is null;
create index typed_product_of on typed_product (org_id, custom_type_id) where valid_to is null;
call isolate_by_organisation('typed_product');
grant select, insert, update, delete on typed_product to :app_role;

-- 国家医保医用耗材代码 as each organisation keeps them: published codes, and which of its specifications each is said to be.
create table insurance_code (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  code text not null,
  first_class text,
  second_class text,
  third_class text,
  generic_name text,
  material text,
  feature text,
  certificate_no text,
  manufacturer text,
  product_name text,
  model text,
  platform_code text,
  pay_class text,
  is_collective boolean not null default false,
  valid_from date,
  valid_to date,
  remark text,
  specification_id bigint,
  match_state text not null default 'none',
  matched_by text,
  matched_at timestamptz,
  batch_at timestamptz,
  changed_at timestamptz not null default now(),
  -- Codes that a supplier confirmed for its own goods are proposed to the hospitals that buy them: by whom, and
  -- whether it was informed.
  proposed_by_id bigint,
  notified_at timestamptz,
  version int not null default 1,
  constraint insurance_code_pk primary key (org_id, id),
  constraint insurance_code_specification foreign key (specification_id) references specification (id),
  constraint insurance_code_form check (code ~ '^C\d{19}(\d{7})?$')
);
create unique index insurance_code_valid on insurance_code (org_id, specification_id) where match_state = 'matched';
create index insurance_code_list on insurance_code (org_id, match_state, code);
create index insurance_code_unsent on insurance_code (org_id) where match_state = 'matched' and notified_at is null;
create unique index insurance_code_once on insurance_code (org_id, code, specification_id) nulls not distinct
  where match_state <> 'past';
call isolate_by_organisation('insurance_code');
grant select, insert, update, delete on insurance_code to :app_role;

-- Codes on packages as an organisation knows them. What the platform or the maker keeps serves everybody; a dealer's
-- or a hospital's own stay its own.
create table product_barcode (
  org_id bigint not null,
  id bigint not null default nextval('reference_id_seq'),
  specification_id bigint not null,
  unit_id bigint,
  code_type text not null,
  issuer text not null,
  code text not null,
  level text not null default 'sale',
  lower_code text,
  lower_count int,
  is_primary boolean not null default false,
  has_lot boolean not null default false,
  has_production boolean not null default false,
  has_expiry boolean not null default false,
  has_serial boolean not null default false,
  remark text,
  changed_by text not null,
  for_everybody boolean not null default false,
  created_at timestamptz not null default now(),
  status text not null default 'enabled',
  version int not null default 1,
  constraint product_barcode_pk primary key (org_id, id),
  constraint product_barcode_specification foreign key (specification_id) references specification (id),
  constraint product_barcode_unit foreign key (unit_id) references pack_unit (id)
);
create unique index product_barcode_once on product_barcode (org_id, code) where status = 'enabled';
create index product_barcode_shared on product_barcode (code) where for_everybody and status = 'enabled';
create index product_barcode_goods on product_barcode (org_id, specification_id);
call isolate_by_organisation('product_barcode');
create policy shared_rows on product_barcode for select using (for_everybody);
grant select, insert, update, delete on product_barcode to :app_role;

-- How codes that follow no standard are taken apart, tried in order.
create table barcode_rule (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  name text not null,
  prefix text not null,
  total_length int,
  date_format text not null default 'YYMMDD',
  product_from int,
  product_length int,
  lot_from int,
  lot_length int,
  production_from int,
  expiry_from int,
  serial_from int,
  serial_length int,
  place int not null default 1,
  remark text,
  status text not null default 'enabled',
  version int not null default 1,
  constraint barcode_rule_pk primary key (org_id, id)
);
create unique index barcode_rule_name on barcode_rule (org_id, name);
call isolate_by_organisation('barcode_rule');
grant select, insert, update, delete on barcode_rule to :app_role;

-- 常用产品: named lists from which a ward asks for goods in one step.
create table common_product (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  name text not null,
  department_id bigint not null,
  warehouse_id bigint not null,
  sharing text not null default 'department',
  created_by_id bigint not null,
  created_by text not null,
  remark text,
  last_claimed_on date,
  version int not null default 1,
  constraint common_product_pk primary key (org_id, id),
  constraint common_product_name unique (org_id, department_id, name),
  constraint common_product_sharing check (sharing in ('own', 'department'))
);
call isolate_by_organisation('common_product');
grant select, insert, update, delete on common_product to :app_role;

-- The lines of such a list.
create table common_product_line (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  common_product_id bigint not null,
  specification_id bigint not null,
  usual_quantity numeric(18,3) not null default 0,
  sort_no int not null default 0,
  version int not null default 1,
  constraint common_product_line_pk primary key (org_id, id),
  constraint common_product_line_once unique (org_id, common_product_id, specification_id),
  constraint common_product_line_list foreign key (org_id, common_product_id) references common_product (org_id, id),
  constraint common_product_line_specification foreign key (specification_id) references specification (id)
);
call isolate_by_organisation('common_product_line');
grant select, insert, update, delete on common_product_line to :app_role;

-- Agreed prices of this organisation with a partner; the effective one on a day is the one whose interval holds it.
create table price_agreement (
  org_id bigint not null,
  id bigint not null default nextval('reference_id_seq'),
  seller_id bigint not null,
  buyer_id bigint not null,
  specification_id bigint not null,
  price numeric(18,4) not null,
  tax_rate smallint not null default 13,
  contract_no text,
  lead_days int,
  is_preferred boolean not null default true,
  valid_from date not null,
  valid_to date,
  -- Agreed prices come from documents: of which sort each is, from how many on, which document wrote it, and which
  -- one ended it early.
  price_type text not null default 'agreed',
  document_id bigint,
  min_order numeric(18,3),
  ended_by_id bigint,
  was_valid_to date,
  status text not null default 'enabled',
  version int not null default 1,
  constraint price_agreement_pk primary key (org_id, id),
  constraint price_agreement_once unique (org_id, seller_id, buyer_id, specification_id, price_type, valid_from),
  constraint price_agreement_type check (price_type in ('volume', 'awarded', 'agreed', 'temporary'))
);
create index price_agreement_document on price_agreement (org_id, document_id) where document_id is not null;
call isolate_by_organisation('price_agreement');
grant select, insert, update, delete on price_agreement to :app_role;

-- What a product costs an organisation, and what it charges, from which day on, and which document said so. A row is
-- applied when its day has come.
create table price_history (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  specification_id bigint not null,
  price_kind text not null,
  supplier_id bigint,
  old_price numeric(18,4),
  new_price numeric(18,4),
  change_rate numeric(9,4),
  valid_from date not null,
  adjust_reason text,
  document_id bigint not null,
  document_sn text not null,
  changed_by text not null,
  changed_at timestamptz not null default posting_now(),
  applied_at timestamptz,
  constraint price_history_pk primary key (org_id, id),
  constraint price_history_kind check (price_kind in ('purchase', 'charge', 'sale'))
);
create index price_history_specification on price_history (org_id, specification_id, valid_from desc);
create index price_history_document on price_history (org_id, document_id);
create index price_history_due on price_history (valid_from) where applied_at is null;
call isolate_by_organisation('price_history');
grant select, insert, delete on price_history to :app_role;
grant update (applied_at) on price_history to :app_role;

-- How a hospital's charge price follows from its purchase price: for the organisation, a class of products, one
-- product; bands are [from, to).
create table markup_rule (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  code text not null,
  scope text not null,
  custom_type_id bigint,
  specification_id bigint,
  method text not null default 'band',
  price_from numeric(18,4),
  price_to numeric(18,4),
  rate numeric(9,6),
  fixed_amount numeric(18,4),
  cap numeric(18,4),
  rounding text not null default 'fen',
  valid_from date not null,
  valid_to date,
  policy_basis text,
  remark text,
  audit_state text not null default 'pending',
  created_by text,
  reviewed_by text,
  version int not null default 1,
  constraint markup_rule_pk primary key (org_id, id),
  constraint markup_rule_code unique (org_id, code),
  constraint markup_rule_type foreign key (org_id, custom_type_id) references custom_type (org_id, id),
  constraint markup_rule_specification foreign key (specification_id) references specification (id),
  constraint markup_rule_scope check (scope in ('house', 'class', 'single')),
  constraint markup_rule_method check (method in ('zero', 'band', 'fixed')),
  constraint markup_rule_rounding check (rounding in ('fen', 'jiao', 'yuan')),
  constraint markup_rule_audit check (audit_state in ('pending', 'passed'))
);
call isolate_by_organisation('markup_rule');
grant select, insert, update, delete on markup_rule to :app_role;

-- What share of a supplier's settlements is charged as service fee, by class of goods and period.
create table supplier_rate (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  supplier_id bigint not null,
  fee_class text not null,
  fee_base text not null default 'settled',
  rate numeric(9,6) not null,
  floor_amount numeric(18,2),
  cap_amount numeric(18,2),
  payment_days int,
  settle_day int,
  contract_no text,
  valid_from date not null,
  valid_to date,
  attachments text[] not null default '{}',
  remark text,
  audit_state text not null default 'pending',
  stop_reason text,
  changed_by text,
  changed_at timestamptz not null default posting_now(),
  version int not null default 1,
  constraint supplier_rate_pk primary key (org_id, id),
  constraint supplier_rate_supplier foreign key (supplier_id) references organisation (id),
  constraint supplier_rate_range check (rate between 0 and 1),
  constraint supplier_rate_audit check (audit_state in ('pending', 'passed'))
);
create index supplier_rate_of on supplier_rate (org_id, supplier_id, fee_class, valid_from);
call isolate_by_organisation('supplier_rate');
grant select, insert, update, delete on supplier_rate to :app_role;

-- What was changed of the rates of a supplier: by whom, from what to what, and why.
create table supplier_rate_step (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  supplier_id bigint not null,
  fee_class text not null,
  action text not null,
  old_value text not null,
  new_value text not null,
  reason text,
  by_name text not null,
  done_at timestamptz not null default posting_now(),
  version int not null default 1,
  constraint supplier_rate_step_pk primary key (org_id, id)
);
call isolate_by_organisation('supplier_rate_step');
grant select, insert on supplier_rate_step to :app_role;
