-- Scans that a stranger sends along with a registration. Until it is handed in they hang on a draft, known by the hash of its name; what is
-- never handed in is swept away after a day. Handed in, they are files of the platform, and once it passed files of the organisation too.
create table registration_draft (
  token_hash text not null, name text not null, original_name text not null, content_type text not null, size bigint not null, digest text not null,
  at timestamptz not null default now(),
  constraint registration_draft_pk primary key (token_hash, name));
create index registration_draft_at on registration_draft (at);
grant select, insert, update, delete on registration_draft to :app_role;

alter table registration add column attachments text[] not null default '{}';
alter table registration add column scans_laid_at timestamptz;
create index registration_scans on registration (org_id, id) where attachments <> '{}' and scans_laid_at is null;
