-- 随访登记: how a patient was found on a day after goods were used on him; the use is named by its number.
create table patient_follow_up (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  source_no text not null,
  department_id bigint not null,
  followed_on date not null,
  way text not null,
  result text not null,
  patient_note text,
  next_on date,
  followed_by text,
  version int not null default 1,
  constraint patient_follow_up_pk primary key (org_id, id),
  constraint patient_follow_up_once unique (org_id, source_no, followed_on),
  constraint patient_follow_up_way check (way in ('visit', 'phone', 'home', 'stay')),
  constraint patient_follow_up_result check (result in ('well', 'unwell', 'reoperated', 'died', 'lost'))
);
call isolate_by_organisation('patient_follow_up');
grant select, insert, update, delete on patient_follow_up to :app_role;
