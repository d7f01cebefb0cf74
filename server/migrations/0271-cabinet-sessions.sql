-- What devices say, as they said it: each message once, in the order of its coming; one that could not be worked stays and is told.
create table cabinet_event (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'), cabinet_id bigint not null, event_id text not null, kind text not null,
  at timestamptz not null, received_at timestamptz not null default now(), is_late boolean not null default false, payload jsonb not null,
  state text not null default 'waiting', said text, tries int not null default 0, done_at timestamptz,
  constraint cabinet_event_pk primary key (org_id, id), constraint cabinet_event_once unique (org_id, cabinet_id, event_id),
  constraint cabinet_event_state check (state in ('waiting', 'done', 'refused', 'failed')));
create index cabinet_event_waiting on cabinet_event (org_id, cabinet_id, id) where state = 'waiting';
-- A door from its opening to its closing.
create table cabinet_session (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'), cabinet_id bigint not null, door_id bigint not null, session_no text not null,
  user_id bigint, operator_name text not null, auth text, purpose text not null, is_allowed boolean not null default true, is_remote boolean not null default false, reason text,
  opened_at timestamptz not null, closed_at timestamptz,
  constraint cabinet_session_pk primary key (org_id, id), constraint cabinet_session_once unique (org_id, cabinet_id, session_no));
create index cabinet_session_open on cabinet_session (org_id, door_id) where closed_at is null;
-- Who took, put back or filled up what. What the device said of it never changes; what people made of it does.
create table cabinet_transaction (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'), serial_no text not null, cabinet_id bigint not null, door_id bigint, session_id bigint,
  warehouse_id bigint not null, department_id bigint, operation text not null, user_id bigint, operator_name text not null, auth text, opened_at timestamptz not null, closed_at timestamptz,
  specification_id bigint, lot_id bigint, lot_no text, unit_code text, owner_id bigint, quantity numeric(18,3) not null default 0, stock_after numeric(18,3), video text,
  patient_no text, patient_name text, admission_no text, surgery_name text, document_kind text, document_sn text, is_wrong_cabinet boolean not null default false,
  state text not null, note text, explanation text, explained_by text, explained_at timestamptz, settled_by_id bigint, version int not null default 1,
  constraint cabinet_transaction_pk primary key (org_id, id), constraint cabinet_transaction_once unique (org_id, serial_no),
  constraint cabinet_transaction_state check (state in ('pending', 'linked', 'returned', 'abnormal', 'settled')));
create index cabinet_transaction_list on cabinet_transaction (org_id, opened_at desc);
create index cabinet_transaction_goods on cabinet_transaction (org_id, warehouse_id, specification_id);
create index cabinet_transaction_unit on cabinet_transaction (org_id, unit_code) where unit_code is not null;
create index cabinet_transaction_open on cabinet_transaction (org_id, state, opened_at) where state in ('pending', 'abnormal');
-- What people ask of a device: it fetches them with its heartbeat.
create table cabinet_command (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'), cabinet_id bigint not null, kind text not null, door_no text, payload jsonb not null default '{}', reason text,
  made_by bigint not null, made_by_name text not null, made_at timestamptz not null default now(), expires_at timestamptz not null, taken_at timestamptz, done_at timestamptz, said text,
  constraint cabinet_command_pk primary key (org_id, id));
create index cabinet_command_waiting on cabinet_command (org_id, cabinet_id, id) where done_at is null;
-- Requests that were accepted: none is accepted twice.
create table cabinet_nonce (
  org_id bigint not null, cabinet_id bigint not null, nonce text not null, at timestamptz not null default now(),
  constraint cabinet_nonce_pk primary key (org_id, cabinet_id, nonce));
create index cabinet_nonce_old on cabinet_nonce (at);

do $$ declare t text; begin
  foreach t in array array['cabinet_event', 'cabinet_session', 'cabinet_transaction', 'cabinet_command', 'cabinet_nonce'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy own_rows on %I using (org_id = current_setting(''app.org_id'')::bigint) with check (org_id = current_setting(''app.org_id'')::bigint)', t);
  end loop;
end $$;
grant select, insert on cabinet_event, cabinet_session, cabinet_transaction, cabinet_command, cabinet_nonce to :app_role;
grant update (state, said, tries, done_at) on cabinet_event to :app_role;
grant update (closed_at) on cabinet_session to :app_role;
grant update (taken_at, done_at, said) on cabinet_command to :app_role;
grant update (patient_no, patient_name, admission_no, surgery_name, document_kind, document_sn, is_wrong_cabinet, state, note, explanation, explained_by, explained_at, settled_by_id, version)
  on cabinet_transaction to :app_role;
-- The trouble of a message that could not be worked: tried again with it.
alter table error_record add column cabinet_event_id bigint;
