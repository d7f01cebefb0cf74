-- 科室额度: what a department may ask for in a month, in all or of one class of goods.
create table department_quota (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  department_id bigint not null,
  custom_type_id bigint,
  amount numeric(18,2) not null,
  valid_from date not null,
  valid_to date,
  status text not null default 'enabled',
  remark text,
  version int not null default 1,
  constraint department_quota_pk primary key (org_id, id),
  constraint department_quota_department foreign key (org_id, department_id) references department (org_id, id),
  constraint department_quota_class foreign key (org_id, custom_type_id) references custom_type (org_id, id),
  constraint department_quota_amount check (amount >= 0),
  constraint department_quota_days check (valid_to is null or valid_to >= valid_from)
);
create unique index department_quota_once on department_quota (
  org_id, department_id, coalesce(custom_type_id, 0), valid_from
);
call isolate_by_organisation('department_quota');
grant select, insert, update, delete on department_quota to :app_role;
