-- What the regulation of device trade asks of people who handle goods: a health check every year, and training. An
-- employee without a quality post is not watched.
alter table employee add column quality_post text;
alter table employee add constraint employee_quality_post check (
  quality_post in ('head', 'manager', 'inspector', 'keeper', 'storekeeper')
);
create table staff_file (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  employee_id bigint not null,
  file_kind text not null,
  subject text not null,
  code text,
  done_on date not null,
  valid_to date,
  result text not null default 'passed',
  attachments text[] not null default '{}',
  remark text,
  filed_by text,
  version int not null default 1,
  constraint staff_file_pk primary key (org_id, id),
  constraint staff_file_employee foreign key (org_id, employee_id) references employee (org_id, id),
  constraint staff_file_kind check (file_kind in ('health', 'training', 'certificate')),
  constraint staff_file_result check (result in ('passed', 'failed')),
  constraint staff_file_days check (valid_to >= done_on),
  constraint staff_file_health check (file_kind <> 'health' or valid_to is not null)
);
call isolate_by_organisation('staff_file');
grant select, insert, update, delete on staff_file to :app_role;
create index staff_file_of_employee on staff_file (org_id, employee_id, file_kind, valid_to);
