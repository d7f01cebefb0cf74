-- Codes of pieces that a scan asked about, and the document that its author then saved with them: an unclaimed scan has
-- none yet. Whether a line came by scans follows from it.
create table code_scan (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  code text not null,
  -- Nobody: a device read it.
  scanned_by bigint,
  scanned_at timestamptz not null default now(),
  document_id bigint,
  constraint code_scan_pk primary key (org_id, id),
  constraint code_scan_document foreign key (org_id, document_id) references document (org_id, id)
);
create unique index code_scan_open on code_scan (org_id, scanned_by, code) where document_id is null;
create index code_scan_of_document on code_scan (org_id, document_id, code) where document_id is not null;
create index code_scan_age on code_scan (scanned_at) where document_id is null;
call isolate_by_organisation('code_scan');
grant select, insert, update, delete on code_scan to :app_role;
