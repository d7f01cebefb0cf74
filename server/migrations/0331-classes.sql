-- The official classes of devices: the list of 2002 (68xx) and that of 2017, with what of the one is what of the other.
create table device_class (
  id bigint not null default nextval('reference_id_seq'), catalogue text not null, code text not null, parent_id bigint, name text not null, device_class text,
  description text, intended_use text, examples text, corresponds text, is_official boolean not null default false, status text not null default 'enabled', version int not null default 1,
  constraint device_class_pk primary key (id), constraint device_class_once unique (catalogue, code),
  constraint device_class_parent foreign key (parent_id) references device_class (id),
  constraint device_class_catalogue check (catalogue in ('2002', '2017')));
grant select, insert, update, delete on device_class to :app_role;

-- An organisation's own trees: its grouping of goods, and a hospital's trees for accounts, management and purchasing.
create table custom_type (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  tree text not null default 'own', code text not null, name text not null, parent_id bigint, sort_no int not null default 0,
  default_warehouse_id bigint, markup_rate numeric(9,4), is_high_value boolean not null default false,
  account_code text, account_name text, managed_by text, fee_class text, is_chargeable boolean not null default false,
  created_by text, created_at timestamptz not null default now(), changed_at timestamptz not null default now(), remark text, status text not null default 'enabled', version int not null default 1,
  constraint custom_type_pk primary key (org_id, id), constraint custom_type_code unique (org_id, tree, code),
  constraint custom_type_tree check (tree in ('own', 'account', 'management', 'purchase')),
  constraint custom_type_parent foreign key (org_id, parent_id) references custom_type (org_id, id));
create unique index custom_type_brothers on custom_type (org_id, tree, parent_id, name) nulls not distinct;
alter table custom_type enable row level security;
create policy own_rows on custom_type using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update, delete on custom_type to :app_role;

-- Which leaf of each tree a specification hangs on, and since when; what it was before is kept with its last day.
create table typed_product (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'), tree text not null, custom_type_id bigint not null, specification_id bigint not null,
  valid_from date not null, valid_to date, by_name text not null, at timestamptz not null default now(), version int not null default 1,
  constraint typed_product_pk primary key (org_id, id),
  constraint typed_product_type foreign key (org_id, custom_type_id) references custom_type (org_id, id),
  constraint typed_product_specification foreign key (specification_id) references specification (id));
create unique index typed_product_now on typed_product (org_id, tree, specification_id) where valid_to is null;
create index typed_product_of on typed_product (org_id, custom_type_id) where valid_to is null;
alter table typed_product enable row level security;
create policy own_rows on typed_product using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update, delete on typed_product to :app_role;
