-- What a device reads inside against the books: one open row for each difference, however often it is read; a row for each reading that found none or did not come about.
create table cabinet_comparison (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'), compare_no text not null, compared_at timestamptz not null default now(),
  cabinet_id bigint not null, warehouse_id bigint not null, department_id bigint, trigger text not null, command_id bigint,
  specification_id bigint, lot_id bigint, lot_no text, unit_code text, owner_id bigint, book_quantity numeric(18,3), read_quantity numeric(18,3), difference numeric(18,3),
  difference_kind text not null, other_warehouse_id bigint, last_operator text, last_at timestamptz, first_seen_at timestamptz not null default now(), reads int not null default 1,
  handling text, document_kind text, document_sn text, note text, handled_by text, handled_at timestamptz, state text not null, version int not null default 1,
  constraint cabinet_comparison_pk primary key (org_id, id),
  constraint cabinet_comparison_kind check (difference_kind in ('missing', 'surplus', 'misplaced', 'unknown', 'none', 'unfinished')),
  constraint cabinet_comparison_state check (state in ('reading', 'waiting', 'handled', 'gone', 'none', 'unfinished')));
create index cabinet_comparison_list on cabinet_comparison (org_id, compared_at desc);
create index cabinet_comparison_open on cabinet_comparison (org_id, cabinet_id) where state in ('reading', 'waiting');
-- What the last full reading found of each lot, beside what the ledger says.
create table cabinet_reading (
  org_id bigint not null, cabinet_id bigint not null, specification_id bigint not null, lot_id bigint not null, quantity numeric(18,3) not null, read_at timestamptz not null,
  constraint cabinet_reading_pk primary key (org_id, cabinet_id, specification_id, lot_id));
alter table cabinet add column read_at timestamptz;
alter table cabinet add column compared_hour timestamptz;
do $$ declare t text; begin
  foreach t in array array['cabinet_comparison', 'cabinet_reading'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy own_rows on %I using (org_id = current_setting(''app.org_id'')::bigint) with check (org_id = current_setting(''app.org_id'')::bigint)', t);
  end loop;
end $$;
grant select, insert, update, delete on cabinet_comparison, cabinet_reading to :app_role;
