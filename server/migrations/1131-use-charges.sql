-- One row for each use of chargeable goods, for each piece where pieces have codes: what is to be charged, and what
-- became of it.
create table use_check (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  use_document_id bigint not null,
  use_line_no int not null,
  unit_code text,
  specification_id bigint not null,
  lot_id bigint,
  department_id bigint,
  warehouse_id bigint,
  supplier_id bigint,
  quantity numeric(18,3) not null,
  returned numeric(18,3) not null default 0,
  item_code text,
  factor numeric(12,4),
  charge_price numeric(18,4) not null default 0,
  cost_price numeric(18,6) not null default 0,
  used_at timestamptz not null,
  state text not null default 'waiting',
  charged_quantity numeric(18,4) not null default 0,
  charged_at timestamptz,
  handling text,
  free_reason text,
  note text,
  handled_by text,
  handled_by_id bigint,
  handled_at timestamptz,
  cause text,
  cause_note text,
  difference_state text not null default 'open',
  difference_by text,
  difference_at timestamptz,
  version int not null default 1,
  constraint use_check_pk primary key (org_id, id),
  constraint use_check_use foreign key (org_id, use_document_id) references document (org_id, id),
  constraint use_check_state
    check (state in ('waiting', 'checked', 'missed', 'over', 'refunded', 'waived', 'cost')),
  constraint use_check_quantity check (quantity > 0 and returned >= 0 and returned <= quantity)
);
create index use_check_of on use_check (org_id, use_document_id);
create index use_check_listed on use_check (org_id, used_at desc, id desc);
create index use_check_open on use_check (org_id, used_at) where state in ('waiting', 'missed', 'over', 'refunded');
create index use_check_unit on use_check (org_id, unit_code) where unit_code is not null;
call isolate_by_organisation('use_check');
grant select, insert, update on use_check to :app_role;

-- What happened to a check in pieces of ours, in the month in which it is booked: used, taken back, checked, waived,
-- made a cost of the department. What a decision no longer says is booked with a minus.
create table use_check_event (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  use_check_id bigint not null,
  event text not null,
  quantity numeric(18,3) not null,
  at timestamptz not null,
  month date not null,
  constraint use_check_event_pk primary key (org_id, id),
  constraint use_check_event_check foreign key (org_id, use_check_id) references use_check (org_id, id),
  constraint use_check_event_known check (event in ('use', 'back', 'checked', 'waived', 'cost'))
);
create index use_check_event_of on use_check_event (org_id, use_check_id);
create index use_check_event_month on use_check_event (org_id, month);
call isolate_by_organisation('use_check_event');
grant select, insert on use_check_event to :app_role;

-- Charges and refunds as the HIS has booked them, by their number there.
create table his_charge (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  charge_no text not null,
  charge_kind text not null,
  refunds_id bigint,
  refunded_charge_no text,
  request_key text,
  request_line_no int,
  patient_no text not null,
  patient_name text,
  visit_no text not null,
  visit_class text,
  department_code text,
  department_id bigint,
  item_code text not null,
  item_name text,
  quantity numeric(18,4) not null,
  price numeric(18,4) not null,
  amount numeric(18,2) not null,
  unit_code text,
  charged_at timestamptz not null,
  day date not null,
  cause text,
  cause_note text,
  difference_state text not null default 'open',
  difference_by text,
  difference_at timestamptz,
  read_at timestamptz not null default now(),
  version int not null default 1,
  constraint his_charge_pk primary key (org_id, id),
  constraint his_charge_no unique (org_id, charge_no),
  constraint his_charge_kind check (charge_kind in ('charge', 'refund')),
  constraint his_charge_quantity check (quantity > 0)
);
create index his_charge_of_day on his_charge (org_id, day);
create index his_charge_visit on his_charge (org_id, visit_no, item_code);
create index his_charge_patient on his_charge (org_id, patient_no, item_code);
create index his_charge_unit on his_charge (org_id, unit_code) where unit_code is not null;
create index his_charge_refunds on his_charge (org_id, refunds_id) where refunds_id is not null;
create index his_charge_request on his_charge (org_id, request_key) where request_key is not null;
call isolate_by_organisation('his_charge');
grant select, insert, update, delete on his_charge to :app_role;

-- Which charge pays for which use, and how much of it: a charge is used up once.
create table charge_link (
  org_id bigint not null,
  use_check_id bigint not null,
  his_charge_id bigint not null,
  quantity numeric(18,4) not null,
  linked_by text not null,
  linked_at timestamptz not null default now(),
  actor_name text,
  constraint charge_link_pk primary key (org_id, use_check_id, his_charge_id),
  constraint charge_link_check foreign key (org_id, use_check_id) references use_check (org_id, id),
  constraint charge_link_charge foreign key (org_id, his_charge_id) references his_charge (org_id, id)
    on delete cascade,
  constraint charge_link_quantity check (quantity >= 0),
  constraint charge_link_by check (linked_by in ('request', 'code', 'window', 'hand'))
);
create index charge_link_of_charge on charge_link (org_id, his_charge_id);
call isolate_by_organisation('charge_link');
grant select, insert, update, delete on charge_link to :app_role;

-- What the HIS was asked to charge or to give back, a document at a time.
create table charge_request (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  use_document_id bigint not null,
  request_kind text not null,
  state text not null default 'asked',
  reason text,
  error text,
  asked_by text not null,
  asked_at timestamptz not null default now(),
  answered_at timestamptz,
  constraint charge_request_pk primary key (org_id, id),
  constraint charge_request_use foreign key (org_id, use_document_id) references document (org_id, id),
  constraint charge_request_kind check (request_kind in ('charge', 'refund')),
  constraint charge_request_state check (state in ('asked', 'failed', 'answered', 'void'))
);
create index charge_request_of on charge_request (org_id, use_document_id);
call isolate_by_organisation('charge_request');
grant select, insert, update on charge_request to :app_role;

create table charge_request_line (
  org_id bigint not null,
  request_id bigint not null,
  line_no int not null,
  use_check_id bigint not null,
  his_charge_id bigint,
  quantity numeric(18,4) not null,
  constraint charge_request_line_pk primary key (org_id, request_id, line_no),
  constraint charge_request_line_request foreign key (org_id, request_id) references charge_request (org_id, id),
  constraint charge_request_line_check foreign key (org_id, use_check_id) references use_check (org_id, id),
  constraint charge_request_line_quantity check (quantity > 0)
);
create index charge_request_line_check_ix on charge_request_line (org_id, use_check_id);
call isolate_by_organisation('charge_request_line');
grant select, insert on charge_request_line to :app_role;

-- The days of which charges were read, and why one could not be.
create table his_charge_day (
  org_id bigint not null,
  day date not null,
  asked_at timestamptz,
  asked_by text,
  read_at timestamptz,
  row_count int not null default 0,
  failed_at timestamptz,
  error text,
  constraint his_charge_day_pk primary key (org_id, day)
);
create index his_charge_day_asked on his_charge_day (org_id, day) where asked_at is not null;
call isolate_by_organisation('his_charge_day');
grant select, insert, update on his_charge_day to :app_role;

-- Months of the proof between use and charge in which nothing is booked any more.
create table charge_month (
  org_id bigint not null,
  month date not null,
  closed_by text not null,
  closed_at timestamptz not null default now(),
  constraint charge_month_pk primary key (org_id, month)
);
call isolate_by_organisation('charge_month');
grant select, insert, delete on charge_month to :app_role;
