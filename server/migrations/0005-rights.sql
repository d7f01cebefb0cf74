-- What a person may see of his organisation's rows, who signs a paper, and what the log keeps of every deed.

-- ---------------------------------------------------------------- data scope of users
-- store_scope: all stores, or those that are named (none named: none). data_scope: which departments' papers.
alter table app_user add column store_scope text not null default 'all';
alter table app_user add column data_scope text not null default 'organisation';
update app_user u set store_scope = 'chosen' where exists (select 1 from user_scope s where s.org_id = u.org_id and s.user_id = u.id);

create table user_department (
  org_id bigint not null, user_id bigint not null, department_id bigint not null,
  constraint user_department_pk primary key (org_id, user_id, department_id));

-- ---------------------------------------------------------------- who signs which paper
create table audit_setting (
  org_id bigint not null, id bigint not null default nextval('reference_id_seq'),
  document_kind text not null, category text, warehouse_id bigint, department_id bigint,
  needs_review boolean not null default true, allow_self boolean not null default false,
  is_automatic boolean not null default false, automatic_limit numeric(18,2), unreview_days int, remind_hours int, remark text,
  status text not null default 'enabled', version int not null default 1,
  constraint audit_setting_pk primary key (org_id, id));
create index audit_setting_kind on audit_setting (org_id, document_kind);

create table audit_level (
  org_id bigint not null, id bigint not null default nextval('reference_id_seq'),
  audit_setting_id bigint not null, level_no int not null, name text, mode text not null default 'any',
  roles text[] not null default '{}', users text[] not null default '{}', from_amount numeric(18,2) not null default 0, needs_opinion boolean not null default false,
  deputy_id bigint, deputy_from date, deputy_to date, version int not null default 1,
  constraint audit_level_pk primary key (org_id, id),
  constraint audit_level_once unique (org_id, audit_setting_id, level_no),
  constraint audit_level_setting foreign key (org_id, audit_setting_id) references audit_setting (org_id, id));

-- The levels a paper was submitted with: later changes of the setting do not reach it.
create table document_review (
  org_id bigint not null, document_id bigint not null, level_no int not null,
  name text, mode text not null, roles text[] not null default '{}', users text[] not null default '{}', needs_opinion boolean not null default false,
  deputy_id bigint, deputy_from date, deputy_to date, signed_by text[] not null default '{}', signed_at timestamptz,
  constraint document_review_pk primary key (org_id, document_id, level_no),
  constraint document_review_document foreign key (org_id, document_id) references document (org_id, id));

-- Which level a waiting paper stands at, and of how many; 0 where nobody set levels.
alter table document add column review_level int not null default 0;
alter table document add column review_levels int not null default 0;

-- ---------------------------------------------------------------- the operation log
alter table operation_log add column login text;
alter table operation_log add column subject_name text;
alter table operation_log add column action_name text;
alter table operation_log add column action_kind text not null default 'other';
alter table operation_log add column summary text;
alter table operation_log add column result text not null default 'done';
alter table operation_log add column error text;
alter table operation_log add column agent text;
alter table operation_log add column path text;
alter table operation_log add column took_ms int;
-- Whose deed it was, where the platform keeps a copy of other organisations' sign-ins.
alter table operation_log add column of_org_id bigint;
create index operation_log_list on operation_log (org_id, id desc);
create index operation_log_at on operation_log (org_id, at desc, id desc);
create index operation_log_key on operation_log (org_id, object_key, id desc);
create index operation_log_user on operation_log (org_id, user_id, id desc);

do $$ declare t text; begin
  foreach t in array array['user_department', 'audit_setting', 'audit_level', 'document_review'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy own_rows on %I using (org_id = current_setting(''app.org_id'')::bigint) with check (org_id = current_setting(''app.org_id'')::bigint)', t);
  end loop;
end $$;
grant select, insert, update, delete on user_department, audit_setting, audit_level, document_review to :app_role;
