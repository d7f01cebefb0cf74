-- Jobs in the background: which server runs one now, how often each ran, and how it ended last. A job whose lease has
-- expired belongs to a server that crashed: any server may run it.
create table background_job (
  id bigint not null default nextval('row_id_seq'),
  name text not null,
  title text not null,
  every_seconds int not null,
  lease_token uuid,
  lease_expires_at timestamptz,
  -- The next run starts this long after the last one, whichever server made that one.
  registered_at timestamptz not null default now(),
  started_at timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_error text,
  took_ms int,
  runs int not null default 0,
  failures int not null default 0,
  constraint background_job_pk primary key (id),
  constraint background_job_name unique (name)
);
grant select on background_job to :app_role;

-- Undelivered messages about one document: an earlier one is never overtaken.
create index intercompany_message_subject
  on intercompany_message (org_id, to_org_id, (payload->>'kind'), (payload->>'sn')) where delivered_at is null;
