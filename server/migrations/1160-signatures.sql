-- The badge that names an employee where somebody signs by scanning it.
alter table employee add column badge_no text;
alter table employee add constraint employee_badge unique (org_id, badge_no);

-- Whether whoever takes goods over signs for them, and that is their receipt.
alter table department add column receives_by_signature boolean not null default false;

-- A signature as it was given: drawn, or by the badge or password of somebody. What is not used for a document goes.
create table signature (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  method text not null,
  strokes jsonb,
  employee_id bigint,
  signer_name text,
  captured_by bigint not null,
  captured_at timestamptz not null default posting_now(),
  constraint signature_pk primary key (org_id, id),
  constraint signature_method check (method in ('drawn', 'badge', 'password')),
  constraint signature_drawn check ((method = 'drawn') = (strokes is not null))
);
create index signature_by_captor on signature (org_id, captured_by, captured_at);
create index signature_by_moment on signature (captured_at);
call isolate_by_organisation('signature');
grant select, insert on signature to :app_role;

-- Who signed which document as what, and what it said then. Evidence: the application writes it once and never changes
-- it.
create table document_signature (
  org_id bigint not null,
  signature_id bigint not null,
  document_id bigint not null,
  role text not null,
  employee_id bigint,
  signer_name text not null,
  digest text not null,
  signed_at timestamptz not null default posting_now(),
  constraint document_signature_pk primary key (org_id, signature_id),
  constraint document_signature_given foreign key (org_id, signature_id) references signature (org_id, id)
);
create index document_signature_of_document on document_signature (org_id, document_id);
call isolate_by_organisation('document_signature');
grant select, insert on document_signature to :app_role;

-- A signature that no longer counts stays on record, with who withdrew it and why.
create table signature_withdrawal (
  org_id bigint not null,
  signature_id bigint not null,
  withdrawn_by text not null,
  reason text,
  withdrawn_at timestamptz not null default posting_now(),
  constraint signature_withdrawal_pk primary key (org_id, signature_id),
  constraint signature_withdrawal_of foreign key (org_id, signature_id)
    references document_signature (org_id, signature_id)
);
call isolate_by_organisation('signature_withdrawal');
grant select, insert on signature_withdrawal to :app_role;
