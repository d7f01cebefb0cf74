-- People, their rights and their sessions; the menu, roles and levels of service that the platform sets.

-- Departments of an organisation, as a tree.
create table department (
  org_id bigint not null,
  id bigint not null default nextval('reference_id_seq'),
  code text not null,
  name text not null,
  parent_id bigint,
  department_kind text,
  his_code text,
  cost_centre text,
  sort_no int not null default 0,
  pinyin text not null default '',
  -- Departments that receive what is granted to them in the same breath.
  receives_at_grant boolean not null default false,
  status text not null default 'enabled',
  version int not null default 1,
  constraint department_pk primary key (org_id, id),
  constraint department_code unique (org_id, code),
  constraint department_parent foreign key (org_id, parent_id) references department (org_id, id)
);
call isolate_by_organisation('department');
grant select, insert, update, delete on department to :app_role;

-- People who work for an organisation, whether or not they sign in.
create table employee (
  org_id bigint not null,
  id bigint not null default nextval('reference_id_seq'),
  code text not null,
  name text not null,
  department_id bigint,
  sex text,
  position text,
  title text,
  phone text,
  email text,
  his_staff_no text,
  is_surgeon boolean not null default false,
  entry_date date,
  photo_url text,
  description text,
  pinyin text not null default '',
  status text not null default 'enabled',
  version int not null default 1,
  constraint employee_pk primary key (org_id, id),
  constraint employee_code unique (org_id, code),
  constraint employee_department foreign key (org_id, department_id) references department (org_id, id)
);
call isolate_by_organisation('employee');
grant select, insert, update, delete on employee to :app_role;

-- Accounts that sign in.
create table app_user (
  id bigint not null default nextval('reference_id_seq'),
  org_id bigint not null,
  login text not null,
  password_hash text not null,
  name text not null,
  phone text,
  employee_id bigint,
  must_change boolean not null default false,
  password_changed_at timestamptz not null default now(),
  password_cycle int not null default 90,
  is_administrator boolean not null default false,
  -- store_scope: all stores, or those that are named. data_scope: which departments' documents.
  store_scope text not null default 'all',
  data_scope text not null default 'organisation',
  rights_from date,
  rights_to date,
  -- Which kinds of messages a user wants; none named: all. What is meant for him alone, or must be confirmed, comes
  -- in any case.
  message_types text[] not null default '{}',
  remark text,
  status text not null default 'enabled',
  version int not null default 1,
  constraint app_user_pk primary key (id),
  constraint app_user_login unique (login),
  constraint app_user_org foreign key (org_id) references organisation (id)
);
create index app_user_org_ix on app_user (org_id);
grant select, insert, update, delete on app_user to :app_role;

-- Sets of permission flags of one organisation.
create table role (
  id bigint not null default nextval('reference_id_seq'),
  org_id bigint not null,
  name text not null,
  description text,
  flags text[] not null default '{}',
  is_system boolean not null default false,
  template_code text,
  status text not null default 'enabled',
  version int not null default 1,
  constraint role_pk primary key (id),
  constraint role_once unique (org_id, name),
  constraint role_org foreign key (org_id) references organisation (id)
);
grant select, insert, update, delete on role to :app_role;

-- Which roles an account has.
create table user_role (
  user_id bigint not null,
  role_id bigint not null,
  constraint user_role_pk primary key (user_id, role_id),
  constraint user_role_user foreign key (user_id) references app_user (id) on delete cascade,
  constraint user_role_role foreign key (role_id) references role (id)
);
grant select, insert, update, delete on user_role to :app_role;

-- Which stores and departments a user is bound to; an administrator needs no rows.
create table user_scope (
  org_id bigint not null,
  user_id bigint not null,
  warehouse_id bigint not null,
  constraint user_scope_pk primary key (org_id, user_id, warehouse_id)
);
call isolate_by_organisation('user_scope');
grant select, insert, update, delete on user_scope to :app_role;

-- Departments whose documents a user sees, where his data scope says so.
create table user_department (
  org_id bigint not null,
  user_id bigint not null,
  department_id bigint not null,
  constraint user_department_pk primary key (org_id, user_id, department_id)
);
call isolate_by_organisation('user_department');
grant select, insert, update, delete on user_department to :app_role;

-- Bounds of permissions by kind of organisation, level of service, or for one organisation alone.
create table system_role (
  id bigint not null default nextval('reference_id_seq'),
  code text not null,
  name text not null,
  system_type smallint not null,
  vip_level int not null default 0,
  only_org_id bigint,
  is_whole boolean not null default false,
  flags text[] not null default '{}',
  is_builtin boolean not null default false,
  description text,
  status text not null default 'enabled',
  version int not null default 1,
  constraint system_role_pk primary key (id),
  constraint system_role_code unique (code)
);
create unique index system_role_once on system_role (system_type, vip_level, coalesce(only_org_id, 0));
grant select, insert, update, delete on system_role to :app_role;
insert into system_role (code, name, system_type, is_whole, is_builtin) values
  ('SYS-P', '平台管理员', 0, true, true),
  ('SYS-H', '医院', 1, true, true),
  ('SYS-D', '经销商', 2, true, true),
  ('SYS-V', '厂商', 3, true, true);

-- Roles that a new organisation begins with.
create table role_template (
  id bigint not null default nextval('reference_id_seq'),
  code text not null,
  name text not null,
  system_type smallint not null,
  vip_level int not null default 0,
  is_default boolean not null default false,
  departments text[] not null default '{}',
  warehouses text[] not null default '{}',
  description text,
  status text not null default 'enabled',
  version int not null default 1,
  constraint role_template_pk primary key (id),
  constraint role_template_code unique (code)
);
grant select, insert, update, delete on role_template to :app_role;

-- The roles of such a template.
create table template_role (
  id bigint not null default nextval('reference_id_seq'),
  role_template_id bigint not null,
  code text not null,
  name text not null,
  description text,
  flags text[] not null default '{}',
  data_scope text not null default 'organisation',
  version int not null default 1,
  constraint template_role_pk primary key (id),
  constraint template_role_once unique (role_template_id, name),
  constraint template_role_template foreign key (role_template_id) references role_template (id)
);
grant select, insert, update, delete on template_role to :app_role;

-- The menu as the platform has arranged it.
create table menu_node (
  id bigint not null default nextval('reference_id_seq'),
  node_key text not null,
  parent_id bigint,
  content text not null,
  node_type smallint not null default 1,
  level int not null,
  route text,
  flag text,
  icon text,
  orgs text[] not null default '{}',
  least_vip int not null default 0,
  sort_no int not null default 0,
  is_shown boolean not null default true,
  status text not null default 'enabled',
  version int not null default 1,
  constraint menu_node_pk primary key (id),
  constraint menu_node_key unique (node_key)
);
create index menu_node_parent on menu_node (parent_id);
grant select, insert, update, delete on menu_node to :app_role;

-- Everything that a menu or a permission can name, with the kinds of organisation that may have it.
create table mother_node (
  id bigint not null default nextval('reference_id_seq'),
  node_key text not null,
  parent_id bigint,
  content text not null,
  node_type smallint not null default 1,
  level int not null,
  route text,
  flag text,
  calls text[] not null default '{}',
  for_p boolean not null default false,
  for_h boolean not null default false,
  for_d boolean not null default false,
  for_v boolean not null default false,
  in_code boolean not null default true,
  sort_no int not null default 0,
  description text,
  changed_at timestamptz not null default now(),
  version int not null default 1,
  constraint mother_node_pk primary key (id),
  constraint mother_node_key unique (node_key)
);
grant select, insert, update, delete on mother_node to :app_role;

-- Levels of service and what each of them allows.
create table vip_level (
  id bigint not null default nextval('reference_id_seq'),
  code int not null,
  name text not null,
  system_type smallint not null,
  annual_fee numeric(18,2),
  user_limit int,
  warehouse_limit int,
  expire_mode text not null default 'degrade',
  description text,
  -- What a level of service allows besides users and stores, and who was given which level when.
  product_limit int,
  call_limit int,
  sms_limit int,
  storage_gb numeric(18,3),
  trial_days int,
  status text not null default 'enabled',
  version int not null default 1,
  constraint vip_level_pk primary key (id),
  constraint vip_level_once unique (system_type, code),
  constraint vip_level_code check (code >= 0)
);
grant select, insert, update, delete on vip_level to :app_role;
insert into vip_level (code, name, system_type) values
  (0, '免费版', 1), (0, '免费版', 2), (0, '免费版', 3);

-- Which organisation was given which level of service, and until when.
create table vip_grant (
  id bigint not null default nextval('reference_id_seq'),
  vip_level_id bigint not null,
  granted_org_id bigint not null,
  granted_on date not null,
  until date not null,
  way text not null default 'paid',
  contract_no text,
  handled_by text not null,
  version int not null default 1,
  constraint vip_grant_pk primary key (id),
  constraint vip_grant_level foreign key (vip_level_id) references vip_level (id),
  constraint vip_grant_org foreign key (granted_org_id) references organisation (id)
);
create index vip_grant_list on vip_grant (vip_level_id, id desc);
grant select, insert, update, delete on vip_grant to :app_role;

-- Settings of an organisation by name; organisation 0 holds marks of the installation itself.
create table setting (
  org_id bigint not null,
  name text not null,
  value jsonb not null,
  constraint setting_pk primary key (org_id, name)
);
call isolate_by_organisation('setting');
grant select, insert, update, delete on setting to :app_role;

-- Sessions, by the hash of their token.
create table session (
  token_hash text not null,
  user_id bigint not null,
  org_id bigint not null,
  r_id text not null,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  address text,
  agent text,
  constraint session_pk primary key (token_hash)
);
create index session_user_ix on session (user_id);
create index session_r_id on session (r_id);
grant select, insert, update, delete on session to :app_role;

-- Failed attempts to sign in, which may be of nobody: every transaction may count them.
create table sign_in_failure (
  org_id bigint not null default 0,
  id bigint not null default nextval('row_id_seq'),
  login text not null,
  address text not null,
  at timestamptz not null default now(),
  constraint sign_in_failure_pk primary key (org_id, id)
);
create index sign_in_failure_login on sign_in_failure (org_id, login, at);
create index sign_in_failure_address on sign_in_failure (org_id, address, at);
alter table sign_in_failure enable row level security;
create policy everyone on sign_in_failure using (true) with check (true);
grant select, insert, update, delete on sign_in_failure to :app_role;

-- The door: captchas, SMS codes and what was used of each allowance live by the hash of their name, like sessions;
-- registrations are the platform's own rows.
create table captcha (
  token_hash text not null,
  kind text not null,
  answer text not null,
  expires_at timestamptz not null,
  constraint captcha_pk primary key (token_hash)
);
create index captcha_expiry on captcha (expires_at);
grant select, insert, update, delete on captcha to :app_role;

-- One row a phone: a new code replaces the one before. `tries` counts wrong answers.
create table sms_code (
  token_hash text not null,
  code_hash text not null,
  purpose text not null,
  tries int not null default 0,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  constraint sms_code_pk primary key (token_hash)
);
create index sms_code_expiry on sms_code (expires_at);
grant select, insert, update, delete on sms_code to :app_role;

-- What was used of an allowance, such as codes to one phone, until it ends.
create table allowance (
  token_hash text not null,
  used int not null,
  ends_at timestamptz not null,
  constraint allowance_pk primary key (token_hash)
);
create index allowance_end on allowance (ends_at);
grant select, insert, update, delete on allowance to :app_role;

-- What strangers asked for under a request id of their own: done once, by the hash of id and address.
create table open_request (
  token_hash text not null,
  fingerprint text not null,
  reply text,
  at timestamptz not null default now(),
  constraint open_request_pk primary key (token_hash)
);
create index open_request_at on open_request (at);
grant select, insert, update, delete on open_request to :app_role;

-- Requests by their id: a repeated one gets the first one's reply.
create table request (
  org_id bigint not null,
  user_id bigint not null,
  request_id text not null,
  fingerprint text not null,
  reply jsonb,
  at timestamptz not null default now(),
  constraint request_pk primary key (org_id, user_id, request_id)
);
create index request_at on request (at);
call isolate_by_organisation('request');
grant select, insert, update, delete on request to :app_role;
