-- 库区: the areas of a store, each for goods of one quality and kept as they want it. Shelves stand in them and follow what they say.
create table store_area (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  warehouse_id bigint not null, code text not null, name text not null, area_kind text not null default 'qualified', storage_condition text not null default 'normal',
  temperature_min numeric(18,3), temperature_max numeric(18,3), humidity_min numeric(18,3), humidity_max numeric(18,3), remark text,
  status text not null default 'enabled', version int not null default 1,
  constraint store_area_pk primary key (org_id, id), constraint store_area_once unique (org_id, warehouse_id, code),
  constraint store_area_warehouse foreign key (org_id, warehouse_id) references warehouse (org_id, id));
alter table store_area enable row level security;
create policy own_rows on store_area using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update, delete on store_area to :app_role;

-- The areas that shelves name already.
insert into store_area (org_id, warehouse_id, code, name, area_kind, storage_condition)
select distinct on (s.org_id, s.warehouse_id, s.area) s.org_id, s.warehouse_id, s.area, s.area || '区', s.area_kind, s.storage_condition
  from shelf s order by s.org_id, s.warehouse_id, s.area, s.id;
