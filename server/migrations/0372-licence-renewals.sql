-- Renewals as they were written down, one by one or by a workbook: which paper, and what the new one says.
create table licence_renewal (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'), holder_id bigint not null, holder_code text, licence_type text not null, old_no text not null,
  licence_no text not null, issued_on date, valid_from date not null, valid_to date, licence_id bigint, renewed_by text not null, renewed_at timestamptz not null default now(), version int not null default 1,
  constraint licence_renewal_pk primary key (org_id, id));
alter table licence_renewal enable row level security;
create policy own_rows on licence_renewal using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update on licence_renewal to :app_role;
