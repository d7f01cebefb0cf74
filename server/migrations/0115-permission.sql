-- What the platform sets for all: the menu as it is arranged, the tree of everything there is, the bounds of each kind of
-- organisation, and the ready sets of roles. Small, shared, written rarely.
create table menu_node (
  id bigint not null default nextval('reference_id_seq'),
  node_key text not null, parent_id bigint, content text not null, node_type smallint not null default 1, level int not null,
  route text, flag text, icon text, orgs text[] not null default '{}', least_vip int not null default 0, sort_no int not null default 0,
  is_shown boolean not null default true, status text not null default 'enabled', version int not null default 1,
  constraint menu_node_pk primary key (id), constraint menu_node_key unique (node_key));
create index menu_node_parent on menu_node (parent_id);

create table mother_node (
  id bigint not null default nextval('reference_id_seq'),
  node_key text not null, parent_id bigint, content text not null, node_type smallint not null default 1, level int not null,
  route text, flag text, calls text[] not null default '{}', for_p boolean not null default false, for_h boolean not null default false,
  for_d boolean not null default false, for_v boolean not null default false, in_code boolean not null default true, sort_no int not null default 0,
  description text, changed_at timestamptz not null default now(), version int not null default 1,
  constraint mother_node_pk primary key (id), constraint mother_node_key unique (node_key));

create table system_role (
  id bigint not null default nextval('reference_id_seq'),
  code text not null, name text not null, system_type smallint not null, vip_level int not null default 0, only_org_id bigint,
  is_whole boolean not null default false, flags text[] not null default '{}', is_builtin boolean not null default false, description text,
  status text not null default 'enabled', version int not null default 1,
  constraint system_role_pk primary key (id), constraint system_role_code unique (code));
create unique index system_role_once on system_role (system_type, vip_level, coalesce(only_org_id, 0));
insert into system_role (code, name, system_type, is_whole, is_builtin) values
  ('SYS-P', '平台管理员', 0, true, true), ('SYS-H', '医院', 1, true, true), ('SYS-D', '经销商', 2, true, true), ('SYS-V', '厂商', 3, true, true);

create table role_template (
  id bigint not null default nextval('reference_id_seq'),
  code text not null, name text not null, system_type smallint not null, vip_level int not null default 0, is_default boolean not null default false,
  departments text[] not null default '{}', warehouses text[] not null default '{}', description text,
  status text not null default 'enabled', version int not null default 1,
  constraint role_template_pk primary key (id), constraint role_template_code unique (code));
create table template_role (
  id bigint not null default nextval('reference_id_seq'),
  role_template_id bigint not null, code text not null, name text not null, description text, flags text[] not null default '{}',
  data_scope text not null default 'organisation', version int not null default 1,
  constraint template_role_pk primary key (id), constraint template_role_once unique (role_template_id, name),
  constraint template_role_template foreign key (role_template_id) references role_template (id));

alter table organisation add column vip_level int not null default 0;
alter table organisation add column vip_until date;
alter table role add column template_code text;
alter table app_user add column rights_from date;
alter table app_user add column rights_to date;

-- Which doors of which cabinets a user may open; '*' is every door.
create table cabinet_permission (
  org_id bigint not null, user_id bigint not null, warehouse_id bigint not null, door text not null default '*',
  constraint cabinet_permission_pk primary key (org_id, user_id, warehouse_id, door));
alter table cabinet_permission enable row level security;
create policy own_rows on cabinet_permission using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update, delete on menu_node, mother_node, system_role, role_template, template_role, cabinet_permission to :app_role;
