-- Value lists that fields name, service levels, courses, programs, what was thrown away, and the switches the platform sets for each organisation.
create table dictionary (
  id bigint not null default nextval('reference_id_seq'),
  code text not null, name text not null, is_system boolean not null default false, description text,
  status text not null default 'enabled', version int not null default 1,
  constraint dictionary_pk primary key (id), constraint dictionary_code unique (code));
create table dictionary_item (
  id bigint not null default nextval('reference_id_seq'),
  dictionary_id bigint not null, code text not null, name text not null, short_name text, sort_no int not null default 0, extra text,
  status text not null default 'enabled', version int not null default 1,
  constraint dictionary_item_pk primary key (id), constraint dictionary_item_once unique (dictionary_id, code),
  constraint dictionary_item_dictionary foreign key (dictionary_id) references dictionary (id));

create table vip_level (
  id bigint not null default nextval('reference_id_seq'),
  code int not null, name text not null, system_type smallint not null, annual_fee numeric(18,2), user_limit int, warehouse_limit int,
  expire_mode text not null default 'degrade', description text, status text not null default 'enabled', version int not null default 1,
  constraint vip_level_pk primary key (id), constraint vip_level_once unique (system_type, code), constraint vip_level_code check (code >= 0));

create table video_course (
  id bigint not null default nextval('reference_id_seq'),
  title text not null, category text, orgs text[] not null default '{}', route text, video text[] not null default '{}', cover text[] not null default '{}', manual text[] not null default '{}',
  body text, sort_no int not null default 0, state text not null default 'draft', published_at timestamptz, uploaded_by text, version int not null default 1,
  constraint video_course_pk primary key (id));
create table course_play (
  org_id bigint not null, user_id bigint not null, course_id bigint not null, day date not null, position int not null default 0,
  constraint course_play_pk primary key (org_id, user_id, course_id, day));

create table app_version (
  id bigint not null default nextval('reference_id_seq'),
  name text not null, platform text not null, version_name text not null, version_no int not null, package text[] not null default '{}', checksum text, notes text,
  is_forced boolean not null default false, least_version_no int not null default 0, only_orgs text[] not null default '{}',
  state text not null default 'draft', published_at timestamptz, published_by text, version int not null default 1,
  constraint app_version_pk primary key (id), constraint app_version_once unique (name, platform, version_no));

create table recycle_bin (
  id bigint not null default nextval('reference_id_seq'),
  restore_type text not null, kind text not null, object_id bigint not null, name text not null, code text, holder_id bigint, operation text not null,
  content jsonb not null, children jsonb not null default '{}', related_count int not null default 0,
  deleted_by text not null, deleted_at timestamptz not null default now(), reason text,
  state text not null default 'waiting', restored_by text, restored_at timestamptz, version int not null default 1,
  constraint recycle_bin_pk primary key (id));
create index recycle_bin_object on recycle_bin (kind, object_id);

create table config_item (
  place int not null, name text not null, title text not null, category text not null, value_kind text not null, choices text[] not null default '{}',
  least numeric, most numeric, preset text not null, constraint config_item_pk primary key (place));
create table org_config (
  id bigint not null, org_id bigint not null, name text not null, value text not null, valid_from date not null, changed_by text, changed_at timestamptz not null default now(), version int not null default 1,
  constraint org_config_pk primary key (id), constraint org_config_once unique (org_id, name));
create view org_config_item with (security_invoker = true) as
select o.id * 1000 + i.place as id, o.id as holder_id, o.system_type, i.category, i.title, i.name, i.value_kind, i.choices, i.least, i.most, i.preset,
       coalesce(c.value, i.preset) as value, c.valid_from, c.changed_by, c.changed_at, coalesce(c.version, 1) as version
  from organisation o cross join config_item i left join org_config c on c.org_id = o.id and c.name = i.name
 where o.system_type > 0;

create table notice (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  notice_type text not null default 'business', title text not null, body text not null, audience text not null default 'own', receivers text[] not null default '{}',
  needs_confirm boolean not null default false, valid_to date, attachments text[] not null default '{}', state text not null default 'draft',
  published_at timestamptz, published_by text, reason text, version int not null default 1,
  constraint notice_pk primary key (org_id, id));
create table notice_delivery (
  org_id bigint not null, notice_id bigint not null, to_org_id bigint not null, delivered_at timestamptz,
  constraint notice_delivery_pk primary key (org_id, notice_id, to_org_id));

create table interface_error (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  at timestamptz not null default now(), system text not null, name text not null, direction text not null default 'push', subject text, object_no text,
  error_kind text not null, error text not null, request text, response text, http_status int, took_ms int, tries int not null default 1,
  state text not null default 'waiting', handled_by text, handled_at timestamptz, note text, version int not null default 1,
  constraint interface_error_pk primary key (org_id, id));
create index interface_error_list on interface_error (org_id, state, id desc);
create table error_record (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  error_kind text not null, level text not null default 'warning', source text not null, description text not null, object text not null,
  operator text, first_at timestamptz not null default now(), last_at timestamptz not null default now(), times int not null default 1,
  assigned_id bigint, handled_by text, handled_at timestamptz, note text, state text not null default 'waiting', version int not null default 1,
  constraint error_record_pk primary key (org_id, id));
create index error_record_list on error_record (org_id, state, id desc);
create index error_record_object on error_record (org_id, object, error_kind);

do $$ declare t text; begin
  foreach t in array array['course_play', 'notice', 'notice_delivery', 'interface_error', 'error_record'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy own_rows on %I using (org_id = current_setting(''app.org_id'')::bigint) with check (org_id = current_setting(''app.org_id'')::bigint)', t);
  end loop;
end $$;
grant select, insert, update, delete on dictionary, dictionary_item, vip_level, video_course, course_play, app_version, recycle_bin, config_item, org_config, notice, notice_delivery,
  interface_error, error_record to :app_role;
grant select on org_config_item to :app_role;
insert into vip_level (code, name, system_type) values (0, '免费版', 1), (0, '免费版', 2), (0, '免费版', 3);
