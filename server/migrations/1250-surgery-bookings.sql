-- Who and what is taken for which operation, and how long. Two plans that overlap cannot have the same kit, set or
-- technician: the constraint refuses the second, whoever asks at the same moment.
create extension if not exists btree_gist;

create table surgery_booking (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  subject_kind text not null,
  subject_id bigint not null,
  plan_id bigint not null,
  period tstzrange not null,
  booked_by text not null,
  booked_at timestamptz not null default posting_now(),
  constraint surgery_booking_pk primary key (org_id, id),
  constraint surgery_booking_kind check (subject_kind in ('kit', 'toolsKit', 'technician')),
  constraint surgery_booking_period check (not isempty(period)),
  constraint surgery_booking_plan foreign key (org_id, plan_id) references document (org_id, id),
  constraint surgery_booking_once
    exclude using gist (org_id with =, subject_kind with =, subject_id with =, period with &&)
);
create index surgery_booking_of_plan on surgery_booking (org_id, plan_id);
create index surgery_booking_subject on surgery_booking (org_id, subject_kind, subject_id);
call isolate_by_organisation('surgery_booking');
grant select, insert, update, delete on surgery_booking to :app_role;
