-- What somebody asks of a report again and again, and when it is made for him by itself.
create table report_scheme (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  user_id bigint not null, report text not null, name text not null, query text, schedule text, due_on date,
  created_at timestamptz not null default now(), version int not null default 1,
  constraint report_scheme_pk primary key (org_id, id),
  constraint report_scheme_schedule check (schedule in ('daily', 'weekly', 'monthly')));
create unique index report_scheme_once on report_scheme (org_id, user_id, name);
create index report_scheme_due on report_scheme (due_on) where due_on is not null;
alter table report_scheme enable row level security;
create policy own_rows on report_scheme using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update, delete on report_scheme to :app_role;
-- Everybody's own exports, newest first.
create index export_job_mine on export_job (org_id, user_id, id desc);
create view export_task with (security_invoker = true) as
select j.org_id, j.id, j.user_id, j.title, j.path, j.state, j.rows_done, j.rows_total, j.file_name, j.error, j.created_at, j.ended_at, j.ended_at + interval '7 days' as kept_until
  from export_job j;
grant select on export_task to :app_role;
