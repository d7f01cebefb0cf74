-- Cabinets: devices, doors and slots, what they say, what is asked of them, and what is compared.

-- The device at a store that is a cabinet: what it is, where it stands, how it proves itself, and when it was last
-- heard.
create table cabinet (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  code text not null,
  name text not null,
  cabinet_type text not null default 'main',
  maker text,
  serial_no text,
  warehouse_id bigint not null,
  identify text not null default 'rfid',
  temperature_min numeric(18,3),
  temperature_max numeric(18,3),
  open_seconds int not null default 120,
  ip text,
  mac text,
  place text,
  installed_on date,
  maintained_until date,
  compare_hours text,
  remark text,
  key_id text,
  key_state text not null default 'none',
  key_made_at timestamptz,
  key_made_by text,
  software_version text,
  last_beat_at timestamptz,
  is_offline boolean not null default false,
  permitted_at timestamptz not null default now(),
  read_at timestamptz,
  compared_hour timestamptz,
  status text not null default 'enabled',
  version int not null default 1,
  constraint cabinet_pk primary key (org_id, id),
  constraint cabinet_code unique (org_id, code),
  constraint cabinet_warehouse unique (org_id, warehouse_id),
  constraint cabinet_store foreign key (org_id, warehouse_id) references warehouse (org_id, id),
  constraint cabinet_key_state check (key_state in ('none', 'active', 'disabled')),
  constraint cabinet_open_seconds check (open_seconds between 5 and 3600)
);
call isolate_by_organisation('cabinet');
grant select, insert, update, delete on cabinet to :app_role;

-- The doors of a cabinet, with what its sensors last said.
create table cabinet_door (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  cabinet_id bigint not null,
  door_no text not null,
  name text,
  door_kind text not null default 'sliding',
  layers int not null default 1,
  identify text,
  reader_no text,
  open_seconds int,
  temperature_min numeric(18,3),
  temperature_max numeric(18,3),
  remark text,
  is_open boolean not null default false,
  opened_at timestamptz,
  open_notified boolean not null default false,
  temperature numeric(18,3),
  humidity numeric(18,3),
  climate_at timestamptz,
  climate_notified boolean not null default false,
  status text not null default 'enabled',
  version int not null default 1,
  constraint cabinet_door_pk primary key (org_id, id),
  constraint cabinet_door_no unique (org_id, cabinet_id, door_no),
  constraint cabinet_door_cabinet foreign key (org_id, cabinet_id) references cabinet (org_id, id)
);
call isolate_by_organisation('cabinet_door');
grant select, insert, update, delete on cabinet_door to :app_role;

-- One place behind a door holds one specification, counted by tag, scan, weight, keys, two bins or by hand.
create table cabinet_slot (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  door_id bigint not null,
  layer int not null,
  slot_no text not null,
  location text not null,
  specification_id bigint,
  measure text not null default 'rfid',
  lower_limit numeric(18,3),
  upper_limit numeric(18,3),
  pack_quantity numeric(18,3),
  plate_id bigint,
  antenna_no text,
  source_warehouse_id bigint,
  remark text,
  status text not null default 'enabled',
  version int not null default 1,
  constraint cabinet_slot_pk primary key (org_id, id),
  constraint cabinet_slot_once unique (org_id, door_id, layer, slot_no),
  constraint cabinet_slot_door foreign key (org_id, door_id) references cabinet_door (org_id, id),
  constraint cabinet_slot_limits check (lower_limit is null or upper_limit is null or lower_limit <= upper_limit)
);
create index cabinet_slot_goods on cabinet_slot (org_id, specification_id);
create index cabinet_slot_plate on cabinet_slot (org_id, plate_id) where plate_id is not null;
call isolate_by_organisation('cabinet_slot');
grant select, insert, update, delete on cabinet_slot to :app_role;

-- Which doors of which cabinets a user may open, and for what.
create table cabinet_permission (
  org_id bigint not null,
  user_id bigint not null,
  warehouse_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  -- Without a door: every door of the cabinet, also those that come later.
  door_id bigint,
  may_take boolean not null default true,
  may_refill boolean not null default true,
  may_count boolean not null default false,
  may_manage boolean not null default false,
  credential text,
  credential_no text,
  valid_from date,
  valid_to date,
  version int not null default 1,
  constraint cabinet_permission_pk primary key (org_id, id),
  constraint cabinet_permission_once unique nulls not distinct (org_id, user_id, warehouse_id, door_id),
  constraint cabinet_permission_days check (valid_from is null or valid_to is null or valid_from <= valid_to)
);
create index cabinet_permission_door on cabinet_permission (org_id, warehouse_id, door_id);
call isolate_by_organisation('cabinet_permission');
grant select, insert, update, delete on cabinet_permission to :app_role;

-- What devices say, as they said it: each message once, in the order of its coming; one that could not be worked
-- stays and is reported.
create table cabinet_event (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  cabinet_id bigint not null,
  event_id text not null,
  kind text not null,
  at timestamptz not null,
  received_at timestamptz not null default now(),
  is_late boolean not null default false,
  payload jsonb not null,
  state text not null default 'waiting',
  said text,
  tries int not null default 0,
  done_at timestamptz,
  constraint cabinet_event_pk primary key (org_id, id),
  constraint cabinet_event_once unique (org_id, cabinet_id, event_id),
  constraint cabinet_event_state check (state in ('waiting', 'done', 'refused', 'failed'))
);
create index cabinet_event_waiting on cabinet_event (org_id, cabinet_id, id) where state = 'waiting';
call isolate_by_organisation('cabinet_event');
grant select, insert on cabinet_event to :app_role;
grant update (state, said, tries, done_at) on cabinet_event to :app_role;

-- A door from its opening to its closing.
create table cabinet_session (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  cabinet_id bigint not null,
  door_id bigint not null,
  session_no text not null,
  user_id bigint,
  operator_name text not null,
  auth text,
  purpose text not null,
  is_allowed boolean not null default true,
  is_remote boolean not null default false,
  reason text,
  opened_at timestamptz not null,
  closed_at timestamptz,
  constraint cabinet_session_pk primary key (org_id, id),
  constraint cabinet_session_once unique (org_id, cabinet_id, session_no)
);
create index cabinet_session_open on cabinet_session (org_id, door_id) where closed_at is null;
call isolate_by_organisation('cabinet_session');
grant select, insert on cabinet_session to :app_role;
grant update (closed_at) on cabinet_session to :app_role;

-- Who took, put back or filled up what. What the device said of it never changes; what people made of it does.
create table cabinet_transaction (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  serial_no text not null,
  cabinet_id bigint not null,
  door_id bigint,
  session_id bigint,
  warehouse_id bigint not null,
  department_id bigint,
  operation text not null,
  user_id bigint,
  operator_name text not null,
  auth text,
  opened_at timestamptz not null,
  closed_at timestamptz,
  specification_id bigint,
  lot_id bigint,
  lot_no text,
  unit_code text,
  owner_id bigint,
  quantity numeric(18,3) not null default 0,
  stock_after numeric(18,3),
  video text,
  patient_no text,
  patient_name text,
  admission_no text,
  surgery_name text,
  document_kind text,
  document_sn text,
  is_wrong_cabinet boolean not null default false,
  state text not null,
  note text,
  explanation text,
  explained_by text,
  explained_at timestamptz,
  settled_by_id bigint,
  -- What owners of consigned goods are informed of a customer's cabinets: their own goods alone, without who and on
  -- whom. Copies, brought to them whenever something changed.
  sent_version int not null default 0,
  version int not null default 1,
  constraint cabinet_transaction_pk primary key (org_id, id),
  constraint cabinet_transaction_once unique (org_id, serial_no),
  constraint cabinet_transaction_state check (state in ('pending', 'linked', 'returned', 'abnormal', 'settled'))
);
create index cabinet_transaction_list on cabinet_transaction (org_id, opened_at desc);
create index cabinet_transaction_goods on cabinet_transaction (org_id, warehouse_id, specification_id);
create index cabinet_transaction_unit on cabinet_transaction (org_id, unit_code) where unit_code is not null;
create index cabinet_transaction_open on cabinet_transaction (org_id, state, opened_at)
  where state in ('pending', 'abnormal');
create index cabinet_transaction_unsent on cabinet_transaction (org_id, id)
  where owner_id is not null and sent_version <> version;
call isolate_by_organisation('cabinet_transaction');
grant select, insert on cabinet_transaction to :app_role;
grant update (
  stock_after, patient_no, patient_name, admission_no, surgery_name, document_kind, document_sn, is_wrong_cabinet,
  state, note, explanation, explained_by, explained_at, settled_by_id, version, sent_version
) on cabinet_transaction to :app_role;

-- What people ask of a device: it fetches them with its heartbeat.
create table cabinet_command (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  cabinet_id bigint not null,
  kind text not null,
  door_no text,
  payload jsonb not null default '{}',
  reason text,
  made_by bigint not null,
  made_by_name text not null,
  made_at timestamptz not null default now(),
  expires_at timestamptz not null,
  taken_at timestamptz,
  done_at timestamptz,
  said text,
  constraint cabinet_command_pk primary key (org_id, id)
);
create index cabinet_command_waiting on cabinet_command (org_id, cabinet_id, id) where done_at is null;
call isolate_by_organisation('cabinet_command');
grant select, insert on cabinet_command to :app_role;
grant update (taken_at, done_at, said) on cabinet_command to :app_role;

-- Requests that were accepted: none is accepted twice.
create table cabinet_nonce (
  org_id bigint not null,
  cabinet_id bigint not null,
  nonce text not null,
  at timestamptz not null default now(),
  constraint cabinet_nonce_pk primary key (org_id, cabinet_id, nonce)
);
create index cabinet_nonce_old on cabinet_nonce (at);
call isolate_by_organisation('cabinet_nonce');
grant select, insert on cabinet_nonce to :app_role;

-- What a device reads inside against the books: one open row for each difference, however often it is read; a row for
-- each reading that found none or did not come about.
create table cabinet_comparison (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  compare_no text not null,
  compared_at timestamptz not null default now(),
  cabinet_id bigint not null,
  warehouse_id bigint not null,
  department_id bigint,
  trigger text not null,
  command_id bigint,
  specification_id bigint,
  lot_id bigint,
  lot_no text,
  unit_code text,
  owner_id bigint,
  book_quantity numeric(18,3),
  read_quantity numeric(18,3),
  difference numeric(18,3),
  difference_kind text not null,
  other_warehouse_id bigint,
  last_operator text,
  last_at timestamptz,
  first_seen_at timestamptz not null default now(),
  reads int not null default 1,
  handling text,
  document_kind text,
  document_sn text,
  note text,
  handled_by text,
  handled_at timestamptz,
  state text not null,
  version int not null default 1,
  constraint cabinet_comparison_pk primary key (org_id, id),
  constraint cabinet_comparison_kind
    check (difference_kind in ('missing', 'surplus', 'misplaced', 'unknown', 'none', 'unfinished')),
  constraint cabinet_comparison_state
    check (state in ('reading', 'waiting', 'handled', 'gone', 'none', 'unfinished'))
);
create index cabinet_comparison_list on cabinet_comparison (org_id, compared_at desc);
create index cabinet_comparison_open on cabinet_comparison (org_id, cabinet_id) where state in ('reading', 'waiting');
call isolate_by_organisation('cabinet_comparison');
grant select, insert, update, delete on cabinet_comparison to :app_role;

-- What the last full reading found of each lot, beside what the ledger says.
create table cabinet_reading (
  org_id bigint not null,
  cabinet_id bigint not null,
  specification_id bigint not null,
  lot_id bigint not null,
  quantity numeric(18,3) not null,
  read_at timestamptz not null,
  constraint cabinet_reading_pk primary key (org_id, cabinet_id, specification_id, lot_id)
);
call isolate_by_organisation('cabinet_reading');
grant select, insert, update, delete on cabinet_reading to :app_role;

-- Copies for the owners of consigned goods: what happened to their goods in a customer's cabinet, without who and on
-- whom.
create table shared_cabinet_transaction (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  from_org_id bigint not null,
  of_id bigint not null,
  serial_no text not null,
  department_name text,
  cabinet_name text not null,
  door_no text,
  operation text not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  specification_id bigint,
  lot_no text,
  unit_code text,
  quantity numeric(18,3) not null,
  document_sn text,
  state text not null,
  constraint shared_cabinet_transaction_pk primary key (org_id, id),
  constraint shared_cabinet_transaction_once unique (org_id, from_org_id, of_id)
);
create index shared_cabinet_transaction_list on shared_cabinet_transaction (org_id, opened_at desc);
call isolate_by_organisation('shared_cabinet_transaction');
grant select, insert, update, delete on shared_cabinet_transaction to :app_role;

-- Copies for the owners of consigned goods: what lies of them in a customer's cabinet.
create table shared_cabinet_stock (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  from_org_id bigint not null,
  department_name text,
  cabinet_name text not null,
  door_no text,
  slot text,
  specification_id bigint not null,
  product_id bigint not null,
  lot_no text,
  expiry_date date,
  quantity numeric(18,3) not null,
  unit_count int not null,
  read_at timestamptz,
  constraint shared_cabinet_stock_pk primary key (org_id, id)
);
create index shared_cabinet_stock_from on shared_cabinet_stock (org_id, from_org_id);
call isolate_by_organisation('shared_cabinet_stock');
grant select, insert, update, delete on shared_cabinet_stock to :app_role;

-- Up to which move of goods a hospital's cabinets were reported to the owners, and who they were.
create table cabinet_shared (
  org_id bigint not null,
  move_id bigint not null,
  owners bigint[] not null default '{}',
  constraint cabinet_shared_pk primary key (org_id)
);
call isolate_by_organisation('cabinet_shared');
grant select, insert, update, delete on cabinet_shared to :app_role;
