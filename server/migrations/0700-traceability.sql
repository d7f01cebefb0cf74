-- Pieces, their codes and every step they took; labels and recalls.

-- A piece with a code of its own, or a lot as a whole (id 0): where it is now.
create table unit (
  lot_id bigint not null,
  id bigint not null default nextval('unit_id_seq'),
  specification_id bigint not null,
  holder_org_id bigint,
  warehouse_id bigint,
  store text,
  place text,
  owner_id bigint,
  parent_id bigint,
  use_org_id bigint,
  use_id bigint,
  under text,
  -- The lot of a piece was wrong: the piece goes on under the right one, and remembers what it was known as before.
  former_lot_id bigint,
  former_unit_id bigint,
  status text not null,
  constraint unit_pk primary key (lot_id, id)
);
create index unit_holder on unit (holder_org_id, warehouse_id, specification_id) where id > 0;
create index unit_status on unit (lot_id, status, holder_org_id);
grant select, insert, update on unit to :app_role;

-- Every step of a piece or a lot. It only grows.
create table trace_event (
  lot_id bigint not null,
  unit_id bigint not null,
  seq bigint not null default nextval('trace_seq'),
  step text not null,
  org_id bigint not null,
  from_org_id bigint,
  from_place text,
  to_org_id bigint,
  to_place text,
  from_warehouse_id bigint,
  to_warehouse_id bigint,
  quantity numeric(18,3) not null,
  document_kind text not null,
  document_sn text not null,
  line_no int not null,
  actor text,
  undo_of bigint,
  before jsonb,
  at timestamptz not null default posting_now(),
  constraint trace_event_pk primary key (lot_id, unit_id, seq)
);
create index trace_event_document on trace_event (lot_id, document_sn);
-- Units named on arrival of goods that were counted by lot before: few, and asked for by every recall.
create index trace_event_named on trace_event (lot_id)
  where unit_id > 0 and from_org_id is not null and before->>'status' = 'void';
grant select, insert on trace_event to :app_role;

-- Which organisations ever held something of a lot.
create table lot_org (
  lot_id bigint not null,
  org_id bigint not null,
  first_at timestamptz not null default posting_now(),
  constraint lot_org_pk primary key (lot_id, org_id)
);
grant select, insert, update on lot_org to :app_role;

-- `code` is the key of the whole network: a canonical UDI, or issuer:code for in-house codes; `bare` is what is
-- printed.
create table unit_code (
  code text not null,
  bare text not null,
  lot_id bigint not null,
  unit_id bigint not null,
  kind text not null,
  issuer_org_id bigint,
  -- A label that was taken off keeps naming its piece, so that the chain is found from it; it is scanned no more.
  ended text,
  replaced_by text,
  constraint unit_code_pk primary key (code),
  constraint unit_code_ended check (ended in ('replaced', 'void', 'unbound'))
);
create index unit_code_bare on unit_code (bare);
create index unit_code_unit on unit_code (lot_id, unit_id);
grant select, insert, update on unit_code to :app_role;

-- Labels that the organisation made itself, job by job.
create table issued_label (
  org_id bigint not null,
  lot_id bigint not null,
  unit_id bigint not null,
  code text not null,
  job_sn text not null,
  source_sn text,
  made_by text not null,
  made_at timestamptz not null default now(),
  ended_by text,
  ended_at timestamptz,
  reason text,
  constraint issued_label_pk primary key (org_id, lot_id, unit_id, code)
);
create index issued_label_job on issued_label (org_id, job_sn);
create index issued_label_source on issued_label (org_id, source_sn) where source_sn is not null;
call isolate_by_organisation('issued_label');
grant select, insert, update on issued_label to :app_role;

-- Labels printed of a piece: the second needs a reason.
create table label_print (
  org_id bigint not null,
  lot_id bigint not null,
  unit_id bigint not null,
  seq int not null,
  layout text not null,
  printed_by text not null,
  reason text,
  at timestamptz not null default now(),
  constraint label_print_pk primary key (org_id, lot_id, unit_id, seq)
);
call isolate_by_organisation('label_print');
grant select, insert, update, delete on label_print to :app_role;

-- Which holder of which lot was informed of a recall and what it answered, kept by whoever recalls.
create table recall_delivery (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  document_id bigint not null,
  line_no int not null,
  to_org_id bigint not null,
  specification_id bigint not null,
  lot_id bigint not null,
  delivered_at timestamptz,
  answered_at timestamptz,
  answered_by text,
  received numeric(18,3),
  on_hand numeric(18,3),
  blocked numeric(18,3),
  used numeric(18,3),
  returned numeric(18,3),
  passed_on numeric(18,3),
  gone numeric(18,3),
  note text,
  remind_on date,
  reminded_on date,
  ended_at timestamptz,
  constraint recall_delivery_pk primary key (org_id, id),
  constraint recall_delivery_once unique (org_id, document_id, line_no, to_org_id),
  constraint recall_delivery_document foreign key (org_id, document_id) references document (org_id, id)
);
create index recall_delivery_open on recall_delivery (org_id, document_id) where ended_at is null;
call isolate_by_organisation('recall_delivery');
grant select, insert, update, delete on recall_delivery to :app_role;

-- A recall as it stands at a holder: what was asked, what its books say of the lot, and what it answered. While a row
-- is open the lot goes out of no store.
create table recall_feedback (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  from_org_id bigint not null,
  from_document_id bigint not null,
  from_line_no int not null,
  recall_sn text not null,
  title text not null,
  recall_level text not null,
  recall_reason text,
  requirement text,
  due_date date,
  specification_id bigint not null,
  lot_id bigint not null,
  lot_no text not null,
  received numeric(18,3) not null default 0,
  on_hand numeric(18,3) not null default 0,
  blocked numeric(18,3) not null default 0,
  used numeric(18,3) not null default 0,
  returned numeric(18,3) not null default 0,
  passed_on numeric(18,3) not null default 0,
  gone numeric(18,3) not null default 0,
  note text,
  state text not null default 'waiting',
  arrived_at timestamptz not null default now(),
  answered_by text,
  answered_at timestamptz,
  notified_version int not null default 1,
  -- 召回文件: the letter of the maker, which comes with the recall.
  attachments text[] not null default '{}',
  version int not null default 1,
  constraint recall_feedback_pk primary key (org_id, id),
  constraint recall_feedback_once unique (org_id, from_org_id, from_document_id, from_line_no)
);
create index recall_feedback_lot on recall_feedback (org_id, lot_id) where state in ('waiting', 'answered');
create index recall_feedback_unsent on recall_feedback (org_id)
  where state = 'answered' and notified_version <> version;
call isolate_by_organisation('recall_feedback');
grant select, insert, update, delete on recall_feedback to :app_role;
