-- Documents with their lines, progress and history; who signs them, how they are printed, how they reach others.

-- The last number given to a kind of document on a day.
create table numbering (
  org_id bigint not null,
  kind text not null,
  day date not null,
  last bigint not null,
  constraint numbering_pk primary key (org_id, kind, day)
);
call isolate_by_organisation('numbering');
grant select, insert, update, delete on numbering to :app_role;

-- Documents of all kinds: an organisation's own, and its copies of its partners' (role counterparty). Fields of one
-- kind alone stand in `fields`.
create table document (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  kind text not null,
  sn text not null,
  role text not null default 'own',
  from_org_id bigint not null,
  state text not null,
  counterparty_id bigint,
  warehouse_id bigint,
  to_warehouse_id bigint,
  department_id bigint,
  handler_id bigint,
  business_date date not null,
  regime text,
  source_type smallint not null default 0,
  source_sn text,
  source_org_id bigint,
  source_document_id bigint,
  red_of_id bigint,
  untaxed_amount numeric(18,2) not null default 0,
  tax_amount numeric(18,2) not null default 0,
  taxed_amount numeric(18,2) not null default 0,
  line_count int not null default 0,
  total_quantity numeric(18,3) not null default 0,
  remark text,
  attachments text[] not null default '{}',
  fields jsonb not null default '{}',
  touched boolean not null default false,
  last_line_no int not null default 0,
  created_by bigint,
  created_at timestamptz not null default posting_now(),
  submitted_by bigint,
  submitted_at timestamptz,
  reviewed_by bigint,
  reviewed_at timestamptz,
  -- Which level a waiting document stands at, and of how many; 0 where nobody set levels.
  review_level int not null default 0,
  review_levels int not null default 0,
  -- 尾差: what an invoice says beyond its lines is owed and paid with them. It stands on the line of the largest amount
  -- and on the document; the money of a line that may be asked for is taxed_amount + rounding.
  rounding numeric(18,2) not null default 0,
  -- Who wrote or handed in a document before whoever has it in hand today: he does not review it either.
  former_authors bigint[] not null default '{}',
  version int not null default 1,
  constraint document_pk primary key (org_id, id),
  constraint document_sn unique (org_id, from_org_id, sn),
  constraint document_role check (role in ('own', 'counterparty'))
);
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
-- Enquiries and answers whose hour may have come: few, and looked at every few seconds.
create index document_closing on document (org_id, kind, id)
  where kind in ('enquiry', 'quotation') and state in ('draft', 'submitted', 'reviewed') and role = 'own';
-- Requisitions and dispatches have a moment by which goods are due; those past it are found by it once.
create index document_due on document ((fields->>'due_at'))
  where kind in ('requisition', 'dispatch') and fields->>'due_at' is not null and fields->>'is_overdue' is null;
call isolate_by_organisation('document');
grant select, insert, update on document to :app_role;

-- The lines of a document.
create table document_line (
  org_id bigint not null,
  document_id bigint not null,
  line_no int not null,
  specification_id bigint,
  lot_id bigint,
  lot_no text,
  production_date date,
  expiry_date date,
  unit_codes text[] not null default '{}',
  unit_id bigint,
  quantity numeric(18,3) not null default 0,
  base_quantity numeric(18,3) not null default 0,
  price numeric(18,4) not null default 0,
  tax_rate smallint not null default 0,
  untaxed_amount numeric(18,2) not null default 0,
  tax_amount numeric(18,2) not null default 0,
  taxed_amount numeric(18,2) not null default 0,
  owner_org_id bigint,
  quality_state text,
  location text,
  source_sn text,
  source_org_id bigint,
  source_document_id bigint,
  source_line_no int,
  order_document_id bigint,
  order_line_no int,
  delivery_document_id bigint,
  delivery_line_no int,
  remark text,
  fields jsonb not null default '{}',
  rounding numeric(18,2) not null default 0,
  constraint document_line_pk primary key (org_id, document_id, line_no),
  constraint document_line_document foreign key (org_id, document_id) references document (org_id, id)
);
create index document_line_source on document_line (org_id, source_document_id) where source_document_id is not null;
create index document_line_delivery on document_line (org_id, delivery_document_id)
  where delivery_document_id is not null;
create index document_line_order on document_line (org_id, order_document_id) where order_document_id is not null;
create index document_line_specification on document_line (org_id, specification_id, document_id);
create index document_line_lot on document_line (org_id, lot_no, document_id) where lot_no is not null;
call isolate_by_organisation('document_line');
grant select, insert, update, delete on document_line to :app_role;

-- How much of each line has been taken for each purpose; line 0 is the sum over the document.
create table line_progress (
  org_id bigint not null,
  document_id bigint not null,
  line_no int not null,
  purpose text not null,
  taken numeric(18,3) not null,
  constraint line_progress_pk primary key (org_id, document_id, line_no, purpose),
  constraint line_progress_document foreign key (org_id, document_id) references document (org_id, id)
);
call isolate_by_organisation('line_progress');
grant select, insert, update, delete on line_progress to :app_role;

-- Every action on a document, in order.
create table document_history (
  org_id bigint not null,
  document_id bigint not null,
  seq int not null,
  action text not null,
  label text not null,
  from_state text,
  to_state text,
  actor_id bigint,
  actor_name text not null,
  actor_org_name text,
  reason text,
  confirmed jsonb,
  at timestamptz not null default posting_now(),
  constraint document_history_pk primary key (org_id, document_id, seq),
  constraint document_history_document foreign key (org_id, document_id) references document (org_id, id)
);
call isolate_by_organisation('document_history');
grant select, insert on document_history to :app_role;

-- Which kinds of document need a review, where, and under which rules.
create table audit_setting (
  org_id bigint not null,
  id bigint not null default nextval('reference_id_seq'),
  document_kind text not null,
  category text,
  warehouse_id bigint,
  department_id bigint,
  needs_review boolean not null default true,
  allow_self boolean not null default false,
  is_automatic boolean not null default false,
  automatic_limit numeric(18,2),
  unreview_days int,
  remind_hours int,
  remark text,
  -- 制单审核分离: nobody may both write and review documents of the kind.
  separates boolean not null default false,
  status text not null default 'enabled',
  version int not null default 1,
  constraint audit_setting_pk primary key (org_id, id)
);
create index audit_setting_kind on audit_setting (org_id, document_kind);
call isolate_by_organisation('audit_setting');
grant select, insert, update, delete on audit_setting to :app_role;

-- The levels of a review, in order.
create table audit_level (
  org_id bigint not null,
  id bigint not null default nextval('reference_id_seq'),
  audit_setting_id bigint not null,
  level_no int not null,
  name text,
  mode text not null default 'any',
  roles text[] not null default '{}',
  users text[] not null default '{}',
  from_amount numeric(18,2) not null default 0,
  needs_opinion boolean not null default false,
  deputy_id bigint,
  deputy_from date,
  deputy_to date,
  version int not null default 1,
  constraint audit_level_pk primary key (org_id, id),
  constraint audit_level_once unique (org_id, audit_setting_id, level_no),
  constraint audit_level_setting foreign key (org_id, audit_setting_id) references audit_setting (org_id, id)
);
call isolate_by_organisation('audit_level');
grant select, insert, update, delete on audit_level to :app_role;

-- The levels a document was submitted with: later changes of the setting do not reach it.
create table document_review (
  org_id bigint not null,
  document_id bigint not null,
  level_no int not null,
  name text,
  mode text not null,
  roles text[] not null default '{}',
  users text[] not null default '{}',
  needs_opinion boolean not null default false,
  deputy_id bigint,
  deputy_from date,
  deputy_to date,
  signed_by text[] not null default '{}',
  signed_at timestamptz,
  constraint document_review_pk primary key (org_id, document_id, level_no),
  constraint document_review_document foreign key (org_id, document_id) references document (org_id, id)
);
call isolate_by_organisation('document_review');
grant select, insert, update, delete on document_review to :app_role;

-- On which licences of the other side a document relied when it was done, with their days as they were.
create table document_licence (
  org_id bigint not null,
  document_id bigint not null,
  licence_id bigint not null,
  action text not null,
  licence_type text not null,
  licence_no text not null,
  valid_to date,
  graced boolean not null default false,
  constraint document_licence_pk primary key (org_id, document_id, licence_id)
);
create index document_licence_licence on document_licence (org_id, licence_id);
call isolate_by_organisation('document_licence');
grant select, insert on document_licence to :app_role;

-- Lines of advance sales that stand with customers: finance confirms the price of each, and what a customer used of
-- one is noted on it. What was confirmed and used stands on the document's line; a row here is what two people would
-- change at once.
create table advance_line (
  org_id bigint not null,
  id bigint not null default nextval('reference_id_seq'),
  document_id bigint not null,
  line_no int not null,
  version int not null default 1,
  constraint advance_line_pk primary key (org_id, id),
  constraint advance_line_once unique (org_id, document_id, line_no),
  constraint advance_line_document foreign key (org_id, document_id) references document (org_id, id)
);
call isolate_by_organisation('advance_line');
grant select, insert, update, delete on advance_line to :app_role;

-- Quality is judged line by line: of an arrival the lines that something is wrong with, of an inspection every line
-- and what became of its unqualified part. What was decided stands on the document's line; a row here is what two
-- people would change at once.
create table quality_line (
  org_id bigint not null,
  id bigint not null default nextval('reference_id_seq'),
  document_id bigint not null,
  line_no int not null,
  version int not null default 1,
  constraint quality_line_pk primary key (org_id, id),
  constraint quality_line_once unique (org_id, document_id, line_no),
  constraint quality_line_document foreign key (org_id, document_id) references document (org_id, id)
);
call isolate_by_organisation('quality_line');
grant select, insert, update, delete on quality_line to :app_role;

-- Stores in which nothing moves while they are counted. The lock holds as long as the document behind it is on its
-- way.
create table store_lock (
  org_id bigint not null,
  warehouse_id bigint not null,
  document_id bigint not null,
  constraint store_lock_pk primary key (org_id, warehouse_id, document_id),
  constraint store_lock_document foreign key (org_id, document_id) references document (org_id, id)
);
call isolate_by_organisation('store_lock');
grant select, insert, delete on store_lock to :app_role;

-- Uses of consigned goods that wait for their settlement, or have it.
create table settlement_line (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  use_document_id bigint not null,
  use_line_no int not null,
  owner_id bigint not null,
  specification_id bigint not null,
  lot_id bigint not null,
  unit_code text,
  quantity numeric(18,3) not null,
  price numeric(18,4),
  tax_rate smallint not null,
  amount numeric(18,2) not null default 0,
  used_at timestamptz not null,
  department_id bigint,
  warehouse_id bigint,
  state text not null default 'waiting',
  settlement_id bigint,
  settlement_line_no int,
  nets_id bigint,
  constraint settlement_line_pk primary key (org_id, id),
  constraint settlement_line_use foreign key (org_id, use_document_id) references document (org_id, id)
);
create index settlement_line_open on settlement_line (org_id, owner_id, state, used_at);
create index settlement_line_use_ix on settlement_line (org_id, use_document_id);
create index settlement_line_settlement on settlement_line (org_id, settlement_id) where settlement_id is not null;
call isolate_by_organisation('settlement_line');
grant select, insert, update, delete on settlement_line to :app_role;

-- Messages about documents for other organisations, sent in the transaction of the action and delivered after it.
create table intercompany_message (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  to_org_id bigint not null,
  message text not null,
  document_id bigint not null,
  payload jsonb not null,
  created_at timestamptz not null default posting_now(),
  delivered_at timestamptz,
  attempts int not null default 0,
  last_error text,
  next_at timestamptz not null default now(),
  -- When the other side let go of its copy, and when our own step then followed: between the two the copy is lost to
  -- both.
  withdrawn_at timestamptz,
  taken_back_at timestamptz,
  constraint intercompany_message_pk primary key (org_id, id)
);
create index intercompany_message_waiting on intercompany_message (next_at) where delivered_at is null;
create index intercompany_message_document on intercompany_message (org_id, document_id);
create index intercompany_message_withdrawn on intercompany_message (withdrawn_at)
  where withdrawn_at is not null and taken_back_at is null;
call isolate_by_organisation('intercompany_message');
grant select, insert, update on intercompany_message to :app_role;

-- Messages that were received, written in the transaction of the receiver: none is taken twice.
create table intercompany_message_received (
  org_id bigint not null,
  from_org_id bigint not null,
  intercompany_message_id bigint not null,
  at timestamptz not null default now(),
  constraint intercompany_message_received_pk primary key (org_id, from_org_id, intercompany_message_id)
);
call isolate_by_organisation('intercompany_message_received');
grant select, insert, update on intercompany_message_received to :app_role;

-- How often a document was printed, and by whom last.
create table document_print (
  org_id bigint not null,
  document_id bigint not null,
  times int not null,
  last_by text not null,
  last_at timestamptz not null default now(),
  constraint document_print_pk primary key (org_id, document_id)
);
call isolate_by_organisation('document_print');
grant select, insert, update, delete on document_print to :app_role;

-- By which template a document was printed first on a sheet; none: as the sheet itself is. Printed again, it looks
-- the same.
create table document_first_print (
  org_id bigint not null,
  document_id bigint not null,
  sheet text not null,
  template_id bigint,
  revision int,
  at timestamptz not null default now(),
  constraint document_first_print_pk primary key (org_id, document_id, sheet)
);
call isolate_by_organisation('document_first_print');
grant select, insert on document_first_print to :app_role;

-- How an organisation wants its printed sheets. The platform's templates are the last resort of everybody.
create table print_template (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  name text not null,
  sheet text not null,
  paper text,
  lines_per_page int,
  title text,
  signatures text,
  note text,
  warehouse_id bigint,
  counterparty_id bigint,
  is_default boolean not null default false,
  for_everybody boolean not null default false,
  revision int not null default 1,
  changed_at timestamptz not null default now(),
  -- A contract printed from an order: its clauses, where it is signed and how long it holds stand in the template.
  clauses text,
  signing_place text,
  valid_days int,
  -- How a template lays a sheet out: margins, type, the picture of the organisation, and its columns in their order
  -- with their widths.
  margin_top int,
  margin_right int,
  margin_bottom int,
  margin_left int,
  typeface text,
  type_size text,
  logo text[] not null default '{}',
  column_layout text,
  -- What else an organisation says of its sheets: facts at the head, sums below, capitals, and how the number is
  -- written for machines.
  head_layout text,
  total_items text,
  has_capitals boolean not null default true,
  carrier text,
  status text not null default 'enabled',
  version int not null default 1,
  constraint print_template_pk primary key (org_id, id),
  constraint print_template_lines check (lines_per_page between 1 and 60),
  constraint print_template_valid_days check (valid_days between 1 and 3650),
  constraint print_template_margins
    check (
      margin_top between 0 and 60
        and margin_right between 0 and 60
        and margin_bottom between 0 and 60
        and margin_left between 0 and 60
    )
);
create unique index print_template_default on print_template (org_id, sheet) where is_default;
call isolate_by_organisation('print_template');
create policy platform_rows on print_template for select using (for_everybody);
grant select, insert, update, delete on print_template to :app_role;

-- A state of a template by which something was printed, kept as long as its documents are; the platform's are kept by
-- whoever printed by them.
create table print_template_version (
  org_id bigint not null,
  template_id bigint not null,
  revision int not null,
  layout jsonb not null,
  kept_at timestamptz not null default now(),
  constraint print_template_version_pk primary key (org_id, template_id, revision)
);
call isolate_by_organisation('print_template_version');
grant select, insert on print_template_version to :app_role;
