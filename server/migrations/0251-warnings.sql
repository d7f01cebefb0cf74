-- What a store may hold of each specification: its limits, where it lies and from where it is filled up.
create table warehouse_product (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  warehouse_id bigint not null, specification_id bigint not null,
  min_quantity numeric(18,3) not null default 0, reorder_point numeric(18,3) not null default 0, max_quantity numeric(18,3) not null default 0,
  location text, replenishment text not null default 'levels', source_warehouse_id bigint, status text not null default 'enabled', version int not null default 1,
  constraint warehouse_product_pk primary key (org_id, id),
  constraint warehouse_product_once unique (org_id, warehouse_id, specification_id),
  constraint warehouse_product_warehouse foreign key (org_id, warehouse_id) references warehouse (org_id, id),
  constraint warehouse_product_order check (0 <= min_quantity and min_quantity <= reorder_point and reorder_point <= max_quantity));

-- What is about to expire, has expired, runs out or lies idle: one row an object and category, closed when its cause is gone.
create table warning (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  category text not null, object_key text not null, level text not null, severity smallint not null,
  object_kind text not null, object_name text not null, code text, partner_id bigint, warehouse_id bigint, department_id bigint, specification_id bigint,
  quantity numeric(18,3), expiry_date date, threshold numeric(18,3), proposed numeric(18,3),
  first_at timestamptz not null default now(), state text not null default 'open', settled_severity smallint not null default 0,
  handled_by text, handled_at timestamptz, note text, version int not null default 1,
  constraint warning_pk primary key (org_id, id),
  constraint warning_once unique (org_id, category, object_key));
create index warning_list on warning (org_id, category, state, severity desc, expiry_date);
-- Up to which move of goods, and for which day, an organisation's warnings were counted.
create table warning_count (
  org_id bigint not null, day date not null, move_id bigint not null, constraint warning_count_pk primary key (org_id));

do $$ declare t text; begin
  foreach t in array array['warehouse_product', 'warning', 'warning_count'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy own_rows on %I using (org_id = current_setting(''app.org_id'')::bigint) with check (org_id = current_setting(''app.org_id'')::bigint)', t);
  end loop;
end $$;
grant select, insert, update, delete on warehouse_product, warning, warning_count to :app_role;
