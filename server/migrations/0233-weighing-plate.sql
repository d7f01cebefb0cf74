-- Plates that weigh what lies on them: one specification and one lot at a time.
create table weighing_plate (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  code text not null, rack text, warehouse_id bigint not null, location text,
  specification_id bigint, lot_no text, tare_g numeric(18,3) not null default 0, piece_g numeric(18,3), weight_g numeric(18,3) not null default 0,
  tolerance_g numeric(18,3) not null default 5, pieces numeric(18,3), lower_limit numeric(18,3), par_level numeric(18,3),
  is_door_open boolean not null default false, read_at timestamptz, replenish_sn text, status text not null default 'enabled', version int not null default 1,
  constraint weighing_plate_pk primary key (org_id, id),
  constraint weighing_plate_code unique (org_id, code));
alter table weighing_plate enable row level security;
create policy own_rows on weighing_plate using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update, delete on weighing_plate to :app_role;
