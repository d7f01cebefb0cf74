-- The shared catalogue of products, certificates, sizes and packs, and the life of each entry.

-- The official classes of devices: the list of 2002 (68xx) and that of 2017, with what of the one is what of the
-- other.
create table device_class (
  id bigint not null default nextval('reference_id_seq'),
  catalogue text not null,
  code text not null,
  parent_id bigint,
  name text not null,
  device_class text,
  description text,
  intended_use text,
  examples text,
  corresponds text,
  is_official boolean not null default false,
  subjects text[] not null default '{}',
  status text not null default 'enabled',
  version int not null default 1,
  constraint device_class_pk primary key (id),
  constraint device_class_once unique (catalogue, code),
  constraint device_class_parent foreign key (parent_id) references device_class (id),
  constraint device_class_catalogue check (catalogue in ('2002', '2017'))
);
grant select, insert, update, delete on device_class to :app_role;

-- Products of the shared catalogue; their sizes are specifications.
create table product (
  id bigint not null default nextval('reference_id_seq'),
  code text not null,
  name text not null,
  generic_name text,
  english_name text,
  brand text,
  manufacturer_id bigint not null,
  registrant_name text,
  country text,
  device_class text not null,
  class_code text,
  class_code_2002 text,
  custom_type text,
  is_high_value boolean not null default false,
  is_implant boolean not null default false,
  is_interventional boolean not null default false,
  is_sterile boolean not null default false,
  is_single_use boolean not null default true,
  is_reagent boolean not null default false,
  is_cold_chain boolean not null default false,
  is_unit_coded boolean not null default false,
  storage_condition text,
  shelf_life_months int,
  base_unit text not null,
  tax_rate smallint not null default 13,
  scope text,
  structure text,
  pinyin text not null default '',
  built_by_id bigint,
  -- The life of a product in the catalogue: who submitted, judged, released and withdrew it, what it was matched
  -- with, its pictures, and each step it took.
  submitted_by text,
  submitted_at timestamptz,
  submitter_id bigint,
  audited_by text,
  audited_at timestamptz,
  opinion text,
  state_since timestamptz not null default now(),
  created_at timestamptz not null default now(),
  issued_at timestamptz,
  withdrawn_on date,
  withdrawn_reason text,
  refusals int not null default 0,
  revision int not null default 1,
  matched_id bigint,
  taken_by text,
  taken_until timestamptz,
  no_di_reason text,
  sterilisation text,
  temperature_low int,
  temperature_high int,
  is_collective boolean not null default false,
  pictures text[] not null default '{}',
  manuals text[] not null default '{}',
  remark text,
  offered_types text,
  offered_to bigint[],
  status text not null default 'self_built',
  version int not null default 1,
  constraint product_pk primary key (id),
  constraint product_code unique (code),
  constraint product_manufacturer foreign key (manufacturer_id) references organisation (id)
);
create index product_name_trgm on product using gin ((name || ' ' || pinyin || ' ' || code) gin_trgm_ops);
create index product_manufacturer_ix on product (manufacturer_id);
create index product_state on product (status, state_since);
create index product_matched on product (matched_id) where matched_id is not null;
grant select, insert, update, delete on product to :app_role;

-- Registration certificates of products, by number and first day.
create table registration_certificate (
  id bigint not null default nextval('reference_id_seq'),
  certificate_no text not null,
  certificate_kind text not null default 'registration',
  product_name text not null,
  holder_org_id bigint not null,
  registrant_name text,
  agent_name text,
  country text,
  production_address text,
  device_class text not null,
  class_code text,
  approval_department text,
  approved_on date,
  valid_from date not null,
  valid_to date,
  previous_certificate_no text,
  renewal_state text,
  structure text,
  scope text,
  attachments text[] not null default '{}',
  audit_state text not null default 'passed',
  -- Renewals chain: the new certificate names the one before; sizes move to it on its first day, the old one stays
  -- for goods made under it. Changes are noted on the certificate.
  previous_id bigint,
  audited_by text,
  audit_reason text,
  moved_on date,
  -- A registration certificate that a dealer or hospital entered for a product it built itself.
  entered_by_id bigint,
  status text not null default 'enabled',
  version int not null default 1,
  constraint registration_certificate_pk primary key (id),
  constraint registration_certificate_once unique (certificate_no, valid_from),
  constraint registration_certificate_holder foreign key (holder_org_id) references organisation (id)
);
create index registration_certificate_previous on registration_certificate (previous_id)
  where previous_id is not null;
create index registration_certificate_previous_no on registration_certificate (previous_certificate_no)
  where previous_certificate_no is not null;
create index registration_certificate_entered on registration_certificate (entered_by_id)
  where entered_by_id is not null;
grant select, insert, update, delete on registration_certificate to :app_role;

-- Sizes of products: what is ordered, stored and used.
create table specification (
  id bigint not null default nextval('reference_id_seq'),
  code text not null,
  product_id bigint not null,
  name text not null,
  model text,
  udi_di text,
  registration_certificate_id bigint,
  unit_name text not null,
  minimum_sales_unit text,
  price numeric(18,4) not null default 0,
  tax_rate smallint not null default 13,
  insurance_code text,
  his_code text,
  lot_required boolean not null default true,
  serial_required boolean not null default false,
  expiry_required boolean not null default true,
  attachments text[] not null default '{}',
  mapped_to_id bigint,
  pictures text[] not null default '{}',
  no_di_reason text,
  status text not null default 'released',
  version int not null default 1,
  constraint specification_pk primary key (id),
  constraint specification_code unique (code),
  constraint specification_product foreign key (product_id) references product (id),
  constraint specification_certificate foreign key (registration_certificate_id)
    references registration_certificate (id)
);
create unique index specification_di on specification (udi_di) where udi_di is not null;
create index specification_product_ix on specification (product_id);
create index specification_name_trgm
  on specification using gin ((name || ' ' || code || ' ' || coalesce(model, '')) gin_trgm_ops);
-- What lies here under a size that was mapped to another is found with that other.
create index specification_mapped on specification (mapped_to_id) where mapped_to_id is not null;
grant select, insert, update, delete on specification to :app_role;

-- "1 unit = measure x 1 parent"; the parent is the smaller unit. The base unit is the specification's own and has no
-- row.
create table pack_unit (
  id bigint not null default nextval('reference_id_seq'),
  specification_id bigint not null,
  parent_id bigint,
  name text not null,
  measure int not null,
  udi_di text,
  base_measure int not null,
  status text not null default 'enabled',
  version int not null default 1,
  constraint pack_unit_pk primary key (id),
  constraint pack_unit_once unique (specification_id, name),
  constraint pack_unit_specification foreign key (specification_id) references specification (id),
  constraint pack_unit_parent foreign key (parent_id) references pack_unit (id),
  constraint pack_unit_measure check (measure > 0 and base_measure > 0)
);
create unique index pack_unit_di on pack_unit (udi_di) where udi_di is not null;
grant select, insert, update, delete on pack_unit to :app_role;

-- The bare identity of a lot; its dates are each keeper's (stock_lot).
create table lot (
  id bigint not null default nextval('reference_id_seq'),
  specification_id bigint not null,
  lot_no text not null,
  constraint lot_pk primary key (id),
  constraint lot_once unique (specification_id, lot_no),
  constraint lot_specification foreign key (specification_id) references specification (id)
);
create index lot_no_ix on lot (lot_no);
grant select, insert, update on lot to :app_role;

-- Each step that a product took in the catalogue.
create table product_step (
  id bigint not null default nextval('reference_id_seq'),
  product_id bigint not null,
  from_state text,
  to_state text not null,
  action text not null,
  org_id bigint not null,
  by_name text not null,
  at timestamptz not null default now(),
  note text,
  version int not null default 1,
  constraint product_step_pk primary key (id),
  constraint product_step_product foreign key (product_id) references product (id) on delete cascade
);
create index product_step_list on product_step (product_id, id);
grant select, insert, update, delete on product_step to :app_role;

-- What a maker or the platform wants changed in a released product. Until it is passed, everybody sees what was
-- released.
create table product_revision (
  id bigint not null default nextval('reference_id_seq'),
  code text not null,
  product_id bigint not null,
  name text,
  generic_name text,
  brand text,
  registrant_name text,
  country text,
  class_code text,
  class_code_2002 text,
  storage_condition text,
  shelf_life_months int,
  scope text,
  structure text,
  note text not null,
  changed text not null,
  before_text text not null,
  after_text text not null,
  org_id bigint not null,
  applied_by text not null,
  applied_by_id bigint not null,
  applied_at timestamptz not null default now(),
  state text not null default 'pending',
  decided_by text,
  decided_at timestamptz,
  reason text,
  revision int,
  effective_at timestamptz,
  version int not null default 1,
  constraint product_revision_pk primary key (id),
  constraint product_revision_code unique (code),
  constraint product_revision_product foreign key (product_id) references product (id),
  constraint product_revision_state check (state in ('pending', 'passed', 'refused'))
);
create unique index product_revision_open on product_revision (product_id) where state = 'pending';
grant select, insert, update, delete on product_revision to :app_role;

-- The name that documents written before a change bear.
create table product_past (
  id bigint not null default nextval('reference_id_seq'),
  product_id bigint not null,
  until_day date not null,
  revision int not null,
  name text not null,
  former jsonb not null,
  constraint product_past_pk primary key (id),
  constraint product_past_product foreign key (product_id) references product (id)
);
create index product_past_ix on product_past (product_id, until_day);
grant select, insert on product_past to :app_role;

-- Who took a released product into its catalogue: the platform and the maker may know how many, never whose prices.
create table product_pick (
  product_id bigint not null,
  picker_id bigint not null,
  at timestamptz not null default now(),
  constraint product_pick_pk primary key (product_id, picker_id),
  constraint product_pick_product foreign key (product_id) references product (id) on delete cascade
);
grant select, insert, delete on product_pick to :app_role;

-- 发布批次: complete products that are published together.
create table product_release (
  id bigint not null default nextval('reference_id_seq'),
  code text not null,
  note text,
  planned_at timestamptz,
  audience text not null default 'all',
  audience_types text,
  audience_orgs text[] not null default '{}',
  created_by text not null,
  created_by_id bigint not null,
  created_at timestamptz not null default now(),
  reviewed_by text,
  published_at timestamptz,
  reason text,
  state text not null default 'draft',
  version int not null default 1,
  constraint product_release_pk primary key (id),
  constraint product_release_code unique (code),
  constraint product_release_state check (state in ('draft', 'submitted', 'planned', 'published', 'cancelled'))
);
grant select, insert, update, delete on product_release to :app_role;

-- The products of a release batch.
create table product_release_line (
  id bigint not null default nextval('reference_id_seq'),
  product_release_id bigint not null,
  product_id bigint not null,
  change_kind text not null default 'new',
  check_result text,
  -- A batch tells of changes and withdrawals as well: which version takes effect with it, and in words what is
  -- different.
  product_revision_id bigint,
  change_text text,
  version int not null default 1,
  constraint product_release_line_pk primary key (id),
  constraint product_release_line_once unique (product_release_id, product_id),
  constraint product_release_line_release foreign key (product_release_id) references product_release (id),
  constraint product_release_line_product foreign key (product_id) references product (id),
  constraint product_release_line_revision foreign key (product_revision_id) references product_revision (id)
);
grant select, insert, update, delete on product_release_line to :app_role;

-- 合格证明: certificates of a lot, uploaded once by its maker or importer and shown by every later keeper.
create table quality_certificate (
  id bigint not null default nextval('reference_id_seq'),
  specification_id bigint not null,
  lot_no text not null,
  sterilisation_lot_no text,
  production_date date,
  expiry_date date,
  certificate_type text not null,
  certificate_no text,
  issuer text,
  issued_on date,
  attachments text[] not null default '{}',
  uploader_id bigint not null,
  uploaded_by text not null,
  uploaded_at timestamptz not null default now(),
  is_current boolean not null default true,
  state text not null default 'pending',
  audited_by text,
  audited_at timestamptz,
  reason text,
  remark text,
  version int not null default 1,
  constraint quality_certificate_pk primary key (id),
  constraint quality_certificate_specification foreign key (specification_id) references specification (id),
  constraint quality_certificate_state check (state in ('pending', 'passed', 'refused'))
);
create index quality_certificate_lot on quality_certificate (specification_id, lot_no, certificate_type);
grant select, insert, update, delete on quality_certificate to :app_role;

-- Changes that were noted on a registration certificate.
create table certificate_change (
  id bigint not null default nextval('reference_id_seq'),
  registration_certificate_id bigint not null,
  changed_on date not null,
  document_no text not null,
  item text not null,
  before_text text,
  after_text text not null,
  by_name text not null,
  at timestamptz not null default now(),
  version int not null default 1,
  constraint certificate_change_pk primary key (id),
  constraint certificate_change_once unique (registration_certificate_id, document_no, item),
  constraint certificate_change_certificate foreign key (registration_certificate_id)
    references registration_certificate (id)
);
grant select, insert, update, delete on certificate_change to :app_role;

-- What a supplier asked to be changed in a hospital's catalogue and the hospital passed: written by nobody until
-- somebody there adopts it.
create table catalogue_proposal (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  code text not null,
  proposal_type text not null,
  specification_id bigint not null,
  supplier_id bigint not null,
  changed_field text,
  old_value text,
  new_value text,
  application_id bigint not null,
  application_sn text not null,
  effect text,
  applied_by text,
  applied_at timestamptz not null default posting_now(),
  state text not null default 'pending',
  decided_by text,
  decided_at timestamptz,
  reason text,
  version int not null default 1,
  constraint catalogue_proposal_pk primary key (org_id, id),
  constraint catalogue_proposal_code unique (org_id, code),
  constraint catalogue_proposal_specification foreign key (specification_id) references specification (id),
  constraint catalogue_proposal_type check (proposal_type in ('change', 'consign'))
);
create index catalogue_proposal_application on catalogue_proposal (org_id, application_id);
create index catalogue_proposal_model on catalogue_proposal (org_id, specification_id);
call isolate_by_organisation('catalogue_proposal');
grant select, insert, update, delete on catalogue_proposal to :app_role;

-- The regulator's published device identifiers: every version of every record, and the files from which they were
-- read.
create table udi_device (
  id bigint not null default nextval('reference_id_seq'),
  record_key text not null,
  version_number int not null,
  version_time date,
  published_on date,
  primary_di text not null,
  product_name text,
  trade_name text,
  specification text,
  catalogue_no text,
  certificate_no text,
  registrant text,
  credit_code text,
  class_code text,
  device_class text,
  insurance_code text,
  is_kit boolean,
  is_single_use boolean,
  is_sterile boolean,
  lot_on_label boolean,
  serial_on_label boolean,
  made_on_label boolean,
  expiry_on_label boolean,
  delisted_on date,
  use_unit_di text,
  use_units int,
  packs jsonb not null default '[]',
  is_current boolean not null default false,
  begins_on date,
  ends_on date,
  at timestamptz not null default now(),
  packs_judged boolean not null default false,
  constraint udi_device_pk primary key (id),
  constraint udi_device_version unique (record_key, version_number)
);
create index udi_device_di on udi_device (primary_di) where is_current;
create index udi_device_certificate on udi_device (certificate_no) where is_current;
-- Records that ever named an identifier are found by it, whichever of them is current.
create index udi_device_any_di on udi_device (primary_di);
create index udi_device_unjudged on udi_device (id) where not packs_judged and packs <> '[]';
grant select, insert, update, delete on udi_device to :app_role;

-- The packing levels that the regulator publishes of a device: what each holds of the level beneath, what that makes
-- in sales units, and why one was not taken.
create table udi_pack (
  id bigint not null default nextval('reference_id_seq'),
  udi_device_id bigint not null,
  line_no int not null,
  di text not null,
  level_name text,
  count int,
  lower_di text,
  base_count int,
  depth int,
  problem text,
  constraint udi_pack_pk primary key (id),
  constraint udi_pack_once unique (udi_device_id, line_no)
);
create index udi_pack_di on udi_pack (di);
grant select, insert, update, delete on udi_pack to :app_role;

-- Packages of the regulator's UDI database, and how far each was read.
create table udi_file (
  id bigint not null default nextval('reference_id_seq'),
  files text[] not null,
  title text not null,
  state text not null default 'waiting',
  bytes_done bigint not null default 0,
  bytes_total bigint not null default 0,
  rows_done int not null default 0,
  added int not null default 0,
  renewed int not null default 0,
  unchanged int not null default 0,
  rejected int not null default 0,
  concerned int not null default 0,
  error text,
  created_by text not null,
  created_at timestamptz not null default now(),
  touched_at timestamptz not null default now(),
  ended_at timestamptz,
  packs_wrong int not null default 0,
  version int not null default 1,
  constraint udi_file_pk primary key (id),
  constraint udi_file_state check (state in ('waiting', 'running', 'done', 'failed'))
);
grant select, insert, update, delete on udi_file to :app_role;

-- What the regulator says of a specification, on its way into the catalogue: asked for by one person, passed by
-- another.
create table udi_adoption (
  id bigint not null default nextval('reference_id_seq'),
  product_id bigint not null,
  specification_id bigint not null,
  udi_device_id bigint not null,
  primary_di text not null,
  said text not null,
  note text,
  org_id bigint not null,
  applied_by text not null,
  applied_by_id bigint not null,
  applied_at timestamptz not null default now(),
  state text not null default 'pending',
  decided_by text,
  decided_at timestamptz,
  reason text,
  version int not null default 1,
  constraint udi_adoption_pk primary key (id),
  constraint udi_adoption_product foreign key (product_id) references product (id),
  constraint udi_adoption_specification foreign key (specification_id) references specification (id),
  constraint udi_adoption_state check (state in ('pending', 'passed', 'refused'))
);
create unique index udi_adoption_open on udi_adoption (specification_id) where state = 'pending';
grant select, insert, update on udi_adoption to :app_role;
