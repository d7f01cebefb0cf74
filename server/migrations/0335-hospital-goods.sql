-- Shelves of a store and the places on them; a place's code is what stock rows bear as their location.
create table shelf (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  warehouse_id bigint not null, area text not null, area_kind text not null default 'qualified', code text not null, name text, shelf_type text not null default 'plain',
  layers int not null default 1, columns_count int not null default 1, storage_condition text not null default 'normal', pick_order int not null default 0, remark text,
  status text not null default 'enabled', version int not null default 1,
  constraint shelf_pk primary key (org_id, id), constraint shelf_once unique (org_id, warehouse_id, area, code),
  constraint shelf_warehouse foreign key (org_id, warehouse_id) references warehouse (org_id, id),
  constraint shelf_size check (layers between 1 and 99 and columns_count between 1 and 99));
alter table shelf enable row level security;
create policy own_rows on shelf using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update, delete on shelf to :app_role;
create table shelf_place (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  shelf_id bigint not null, warehouse_id bigint not null, layer int not null, column_no int not null, code text not null, specification_id bigint, is_fixed boolean not null default false,
  capacity numeric(18,3), tag_no text, lit_at timestamptz, status text not null default 'enabled', version int not null default 1,
  constraint shelf_place_pk primary key (org_id, id), constraint shelf_place_code unique (org_id, warehouse_id, code),
  constraint shelf_place_shelf foreign key (org_id, shelf_id) references shelf (org_id, id),
  constraint shelf_place_specification foreign key (specification_id) references specification (id));
create index shelf_place_of on shelf_place (org_id, shelf_id);
alter table shelf_place enable row level security;
create policy own_rows on shelf_place using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update, delete on shelf_place to :app_role;

-- 常用产品: named lists from which a ward asks for goods in one step.
create table common_product (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  name text not null, department_id bigint not null, warehouse_id bigint not null, sharing text not null default 'department', created_by_id bigint not null, created_by text not null, remark text,
  last_claimed_on date, version int not null default 1,
  constraint common_product_pk primary key (org_id, id), constraint common_product_name unique (org_id, department_id, name),
  constraint common_product_sharing check (sharing in ('own', 'department')));
alter table common_product enable row level security;
create policy own_rows on common_product using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update, delete on common_product to :app_role;
create table common_product_line (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  common_product_id bigint not null, specification_id bigint not null, usual_quantity numeric(18,3) not null default 0, sort_no int not null default 0, version int not null default 1,
  constraint common_product_line_pk primary key (org_id, id), constraint common_product_line_once unique (org_id, common_product_id, specification_id),
  constraint common_product_line_list foreign key (org_id, common_product_id) references common_product (org_id, id),
  constraint common_product_line_specification foreign key (specification_id) references specification (id));
alter table common_product_line enable row level security;
create policy own_rows on common_product_line using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update, delete on common_product_line to :app_role;

alter table warehouse_product add column pack_size numeric(18,3), add column used_on_receipt boolean not null default false, add column single_limit numeric(18,3), add column month_quota numeric(18,3);
alter table hospital_product add column admitted_until date;
