-- Every call to another system: asked for in the transaction of the deed, tried until it succeeds or a person closes it,
-- always under the same key. The payload is kept only as long as it may be sent again.
create table outbound_call (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'), call_key text not null,
  system text not null, name text not null, direction text not null default 'push', subject text, object_no text,
  payload jsonb, request text, response text, http_status int, error_kind text, error text, took_ms int,
  tries int not null default 0, automatic int not null default 0, at timestamptz not null default now(), failed_at timestamptz, next_at timestamptz default now(), expires_at timestamptz,
  state text not null default 'pending', handled_by text, handled_at timestamptz, note text, version int not null default 1,
  constraint outbound_call_pk primary key (org_id, id), constraint outbound_call_key unique (org_id, call_key),
  constraint outbound_call_state check (state in ('pending', 'retrying', 'waiting', 'succeeded', 'done', 'ignored')));
create index outbound_call_due on outbound_call (next_at) where state in ('pending', 'retrying');
create index outbound_call_failed on outbound_call (org_id, state, id desc) where failed_at is not null;
create table outbound_attempt (
  org_id bigint not null, outbound_call_id bigint not null, attempt_no int not null, at timestamptz not null default now(),
  took_ms int not null, is_ok boolean not null, http_status int, error text, by_name text,
  constraint outbound_attempt_pk primary key (org_id, outbound_call_id, attempt_no),
  constraint outbound_attempt_call foreign key (org_id, outbound_call_id) references outbound_call (org_id, id));
create index outbound_attempt_at on outbound_attempt (org_id, at);
insert into outbound_call (org_id, id, call_key, system, name, direction, subject, object_no, request, response, http_status, error_kind, error, took_ms, tries, at, failed_at, next_at, state, handled_by, handled_at, note, version)
select org_id, id, 'earlier-' || id, system, name, direction, subject, object_no, request, response, http_status, error_kind, error, took_ms, tries, at, at, null, state, handled_by, handled_at, note, version from interface_error;
drop table interface_error;
create view outbound_attempt_entry with (security_invoker = true) as
select org_id, outbound_call_id * 1000 + attempt_no as id, outbound_call_id, attempt_no, at, took_ms, is_ok, http_status, error, coalesce(by_name, '系统自动') as by_name from outbound_attempt;

-- Trouble that has a cause which can be tried again.
alter table error_record add column object_no text;
alter table error_record add column warehouse_id bigint;
alter table error_record add column outbound_call_id bigint;
alter table error_record add column hand_over_id bigint;
create index error_record_call on error_record (org_id, outbound_call_id) where outbound_call_id is not null;
create index error_record_hand_over on error_record (org_id, hand_over_id) where hand_over_id is not null;

do $$ declare t text; begin
  foreach t in array array['outbound_call', 'outbound_attempt'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy own_rows on %I using (org_id = current_setting(''app.org_id'')::bigint) with check (org_id = current_setting(''app.org_id'')::bigint)', t);
  end loop;
end $$;
grant select, insert, update, delete on outbound_call, outbound_attempt to :app_role;
grant select on outbound_attempt_entry to :app_role;
