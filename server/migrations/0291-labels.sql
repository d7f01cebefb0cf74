-- A label that was taken off keeps naming its piece, so that the chain is found from it; it is scanned no more.
alter table unit_code add column ended text;
alter table unit_code add column replaced_by text;
alter table unit_code add constraint unit_code_ended check (ended in ('replaced', 'void', 'unbound'));
-- Labels that the house made itself, job by job.
create table made_label (
  org_id bigint not null, lot_id bigint not null, unit_id bigint not null, code text not null, job_sn text not null, source_sn text,
  made_by text not null, made_at timestamptz not null default now(), ended_by text, ended_at timestamptz, reason text,
  constraint made_label_pk primary key (org_id, lot_id, unit_id, code));
create index made_label_job on made_label (org_id, job_sn);
create index made_label_source on made_label (org_id, source_sn) where source_sn is not null;
alter table made_label enable row level security;
create policy own_rows on made_label using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update on made_label to :app_role;
