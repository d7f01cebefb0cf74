-- Stays and consultations of the HIS with their patients, as messages and questions brought them.
create table his_visit (
  org_id bigint not null,
  id bigint not null default nextval('reference_id_seq'),
  visit_no text not null,
  patient_no text not null,
  patient_name text,
  sex text,
  birth_date date,
  wristband text,
  visit_class text not null,
  state text not null,
  is_account_open boolean not null default true,
  his_department_code text,
  bed_no text,
  doctor_no text,
  began_at timestamptz,
  ended_at timestamptz,
  changed_at timestamptz not null,
  read_at timestamptz not null default now(),
  constraint his_visit_pk primary key (org_id, id),
  constraint his_visit_no unique (org_id, visit_no)
);
create index his_visit_patient on his_visit (org_id, patient_no);
create index his_visit_wristband on his_visit (org_id, wristband) where wristband is not null;
create index his_visit_list on his_visit (org_id, began_at desc, id desc);
call isolate_by_organisation('his_visit');
grant select, insert, update on his_visit to :app_role;

create table his_operation (
  org_id bigint not null,
  id bigint not null default nextval('reference_id_seq'),
  surgery_no text not null,
  visit_no text not null,
  patient_no text not null,
  surgery_name text not null,
  state text not null,
  planned_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  his_department_code text,
  theatre text,
  surgeon_no text,
  surgeon_name text,
  changed_at timestamptz not null,
  read_at timestamptz not null default now(),
  constraint his_operation_pk primary key (org_id, id),
  constraint his_operation_no unique (org_id, surgery_no)
);
create index his_operation_visit on his_operation (org_id, visit_no);
create index his_operation_list on his_operation (org_id, planned_at desc, id desc);
call isolate_by_organisation('his_operation');
grant select, insert, update on his_operation to :app_role;

-- Messages that were taken in, by what their sender numbered them with; nothing of what they said.
create table his_message (
  org_id bigint not null,
  sender text not null,
  control_id text not null,
  message_type text not null,
  state text not null,
  error text,
  received_at timestamptz not null default now(),
  constraint his_message_pk primary key (org_id, sender, control_id),
  constraint his_message_state check (state in ('done', 'failed', 'rejected'))
);
create index his_message_age on his_message (received_at);
call isolate_by_organisation('his_message');
grant select, insert, update, delete on his_message to :app_role;
