-- What people uploaded: the bytes lie in the file store under `name`, which nobody can guess; here stands whose they are.
-- Files of the platform may be meant for everybody (product pictures, courses, announcements).
create table stored_file (
  org_id bigint not null, name text not null,
  original_name text not null, content_type text not null, size bigint not null, digest text not null,
  uploaded_by bigint not null, uploaded_at timestamptz not null default posting_now(), is_shared boolean not null default false,
  constraint stored_file_pk primary key (org_id, name));
alter table stored_file enable row level security;
create policy own_rows on stored_file using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
create policy shared_rows on stored_file for select using (is_shared);
grant select, insert, delete on stored_file to :app_role;
grant update (is_shared) on stored_file to :app_role;
