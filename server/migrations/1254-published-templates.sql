-- Templates of the platform as everybody may read them: paths and kits in the version that is in force, with their
-- lines. What an organisation takes over is a copy of its own.
create table published_template (
  id bigint not null default nextval('reference_id_seq'),
  org_id bigint not null,
  template_kind text not null,
  source_id bigint not null,
  code text not null,
  name text not null,
  version_no int not null,
  surgery_name text,
  surgery_code text,
  body_site text,
  line_count int not null,
  content jsonb not null,
  published_by text not null,
  published_at timestamptz not null default posting_now(),
  status text not null default 'enabled',
  version int not null default 1,
  constraint published_template_pk primary key (id),
  constraint published_template_once unique (template_kind, org_id, source_id),
  constraint published_template_kind check (template_kind in ('operationPath', 'operationKit'))
);
create index published_template_code on published_template (template_kind, code, version_no);
alter table published_template enable row level security;
create policy read_by_all on published_template for select using (true);
create policy written_by_platform on published_template for insert with check (reaches(org_id));
create policy changed_by_platform on published_template for update using (reaches(org_id)) with check (reaches(org_id));
grant select, insert, update on published_template to :app_role;

-- Whom the platform gave which template; whoever it was given takes it in a transaction of its own.
create table template_push (
  template_id bigint not null,
  to_org_id bigint not null,
  org_id bigint not null,
  pushed_by text not null,
  pushed_at timestamptz not null default posting_now(),
  taken_at timestamptz,
  constraint template_push_pk primary key (template_id, to_org_id),
  constraint template_push_of foreign key (template_id) references published_template (id)
);
create index template_push_waiting on template_push (pushed_at) where taken_at is null;
alter table template_push enable row level security;
create policy read_given on template_push for select using (reaches(org_id) or reaches(to_org_id));
create policy given_by_platform on template_push for insert with check (reaches(org_id));
create policy taken_by_oneself on template_push for update using (reaches(to_org_id)) with check (reaches(to_org_id));
grant select, insert, update (taken_at) on template_push to :app_role;
