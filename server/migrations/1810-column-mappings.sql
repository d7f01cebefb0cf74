-- Columns of files of other programs, as people of the organisation named them; once for a set of headings.
create table column_mapping (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  file_kind text not null,
  headings_hash text not null,
  headings text not null,
  columns text not null,
  changed_by text,
  changed_at timestamptz not null default now(),
  version int not null default 1,
  constraint column_mapping_pk primary key (org_id, id),
  constraint column_mapping_once unique (org_id, file_kind, headings_hash)
);
call isolate_by_organisation('column_mapping');
grant select, insert, update, delete on column_mapping to :app_role;
