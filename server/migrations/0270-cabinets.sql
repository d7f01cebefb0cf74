-- The device at a store that is a cabinet: what it is, where it stands, how it proves itself, and when it was last heard.
create table cabinet (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  code text not null, name text not null, cabinet_type text not null default 'main', maker text, serial_no text, warehouse_id bigint not null,
  identify text not null default 'rfid', temperature_min numeric(18,3), temperature_max numeric(18,3), open_seconds int not null default 120,
  ip text, mac text, place text, installed_on date, maintained_until date, compare_hours text, remark text, status text not null default 'enabled', version int not null default 1,
  key_id text, key_state text not null default 'none', key_made_at timestamptz, key_made_by text,
  software_version text, last_beat_at timestamptz, is_offline boolean not null default false, permitted_at timestamptz not null default now(),
  constraint cabinet_pk primary key (org_id, id), constraint cabinet_code unique (org_id, code), constraint cabinet_warehouse unique (org_id, warehouse_id),
  constraint cabinet_store foreign key (org_id, warehouse_id) references warehouse (org_id, id),
  constraint cabinet_key_state check (key_state in ('none', 'active', 'disabled')),
  constraint cabinet_open_seconds check (open_seconds between 5 and 3600));
create table cabinet_door (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'), cabinet_id bigint not null,
  door_no text not null, name text, door_kind text not null default 'sliding', layers int not null default 1, identify text, reader_no text,
  open_seconds int, temperature_min numeric(18,3), temperature_max numeric(18,3), remark text, status text not null default 'enabled', version int not null default 1,
  is_open boolean not null default false, opened_at timestamptz, open_told boolean not null default false,
  temperature numeric(18,3), humidity numeric(18,3), climate_at timestamptz, climate_told boolean not null default false,
  constraint cabinet_door_pk primary key (org_id, id), constraint cabinet_door_no unique (org_id, cabinet_id, door_no),
  constraint cabinet_door_cabinet foreign key (org_id, cabinet_id) references cabinet (org_id, id));
-- One place behind a door holds one specification, counted by tag, scan, weight, keys, two bins or by hand.
create table cabinet_slot (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'), door_id bigint not null, layer int not null, slot_no text not null, location text not null,
  specification_id bigint, measure text not null default 'rfid', lower_limit numeric(18,3), upper_limit numeric(18,3), pack_quantity numeric(18,3), plate_id bigint, antenna_no text,
  source_warehouse_id bigint, remark text, status text not null default 'enabled', version int not null default 1,
  constraint cabinet_slot_pk primary key (org_id, id), constraint cabinet_slot_once unique (org_id, door_id, layer, slot_no),
  constraint cabinet_slot_door foreign key (org_id, door_id) references cabinet_door (org_id, id),
  constraint cabinet_slot_limits check (lower_limit is null or upper_limit is null or lower_limit <= upper_limit));
create index cabinet_slot_goods on cabinet_slot (org_id, specification_id);
create index cabinet_slot_plate on cabinet_slot (org_id, plate_id) where plate_id is not null;

-- Doors were numbers of a warehouse; now each is a row of its device.
insert into cabinet (org_id, code, name, warehouse_id)
select org_id, code, name, id from warehouse where model = 'cabinet';
insert into cabinet_door (org_id, cabinet_id, door_no)
select c.org_id, c.id, d.door_no from cabinet c join warehouse w on w.org_id = c.org_id and w.id = c.warehouse_id cross join unnest(w.doors) d(door_no);
alter table cabinet_permission add column id bigint not null default nextval('row_id_seq');
alter table cabinet_permission add column version int not null default 1;
-- Without a door: every door of the cabinet, also those that come later.
alter table cabinet_permission add column door_id bigint;
alter table cabinet_permission add column may_take boolean not null default true;
alter table cabinet_permission add column may_refill boolean not null default true;
alter table cabinet_permission add column may_count boolean not null default false;
alter table cabinet_permission add column may_manage boolean not null default false;
alter table cabinet_permission add column credential text;
alter table cabinet_permission add column credential_no text;
alter table cabinet_permission add column valid_from date;
alter table cabinet_permission add column valid_to date;
update cabinet_permission p set door_id = d.id from cabinet c join cabinet_door d on d.org_id = c.org_id and d.cabinet_id = c.id
 where c.org_id = p.org_id and c.warehouse_id = p.warehouse_id and d.door_no = p.door;
delete from cabinet_permission where door <> '*' and door_id is null;
alter table cabinet_permission drop constraint cabinet_permission_pk;
alter table cabinet_permission drop column door;
alter table cabinet_permission add constraint cabinet_permission_pk primary key (org_id, id);
alter table cabinet_permission add constraint cabinet_permission_once unique nulls not distinct (org_id, user_id, warehouse_id, door_id);
alter table cabinet_permission add constraint cabinet_permission_days check (valid_from is null or valid_to is null or valid_from <= valid_to);
create index cabinet_permission_door on cabinet_permission (org_id, warehouse_id, door_id);
alter table warehouse drop column doors;

do $$ declare t text; begin
  foreach t in array array['cabinet', 'cabinet_door', 'cabinet_slot'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy own_rows on %I using (org_id = current_setting(''app.org_id'')::bigint) with check (org_id = current_setting(''app.org_id'')::bigint)', t);
  end loop;
end $$;
grant select, insert, update, delete on cabinet, cabinet_door, cabinet_slot to :app_role;
