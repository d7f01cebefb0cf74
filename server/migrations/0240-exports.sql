-- Long exports are made behind the page: how far each is, and the file that came of it.
create table export_job (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  user_id bigint not null, title text not null, path text not null, query jsonb not null default '{}',
  state text not null default 'running', rows_done int not null default 0, rows_total int, file_name text, error text,
  created_at timestamptz not null default now(), touched_at timestamptz not null default now(), ended_at timestamptz,
  constraint export_job_pk primary key (org_id, id),
  constraint export_job_state check (state in ('running', 'done', 'failed')));
create index export_job_running on export_job (touched_at) where state = 'running';
create index export_job_ended on export_job (ended_at) where file_name is not null;
alter table export_job enable row level security;
create policy own_rows on export_job using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update on export_job to :app_role;
