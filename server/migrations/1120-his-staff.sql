-- Departments of a hospital's HIS as they were last read, each with the department of ours that it is.
create table his_department (
  org_id bigint not null,
  id bigint not null default nextval('reference_id_seq'),
  his_department_code text not null,
  his_department_name text not null,
  parent_code text,
  is_active boolean not null default true,
  department_id bigint,
  changed_at timestamptz not null,
  read_at timestamptz not null default now(),
  version int not null default 1,
  constraint his_department_pk primary key (org_id, id),
  constraint his_department_once unique (org_id, his_department_code),
  constraint his_department_ours foreign key (org_id, department_id) references department (org_id, id)
);
create index his_department_of on his_department (org_id, department_id) where department_id is not null;
call isolate_by_organisation('his_department');
grant select, insert, update on his_department to :app_role;

-- People of the HIS, each with the employee of ours that he is.
create table his_staff (
  org_id bigint not null,
  id bigint not null default nextval('reference_id_seq'),
  staff_no text not null,
  staff_name text not null,
  sex text not null,
  his_department_code text,
  his_department_name text,
  staff_kind text not null,
  professional_title text,
  position text,
  mobile text,
  is_active boolean not null default true,
  employee_id bigint,
  -- Somebody took the link away: no synchronisation makes it again.
  is_kept_apart boolean not null default false,
  changed_at timestamptz not null,
  read_at timestamptz not null default now(),
  version int not null default 1,
  constraint his_staff_pk primary key (org_id, id),
  constraint his_staff_no unique (org_id, staff_no),
  constraint his_staff_employee unique (org_id, employee_id),
  constraint his_staff_is foreign key (org_id, employee_id) references employee (org_id, id)
);
create index his_staff_department on his_staff (org_id, his_department_code);
call isolate_by_organisation('his_staff');
grant select, insert, update on his_staff to :app_role;

-- What a synchronisation changed of a person.
create table his_staff_change (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  staff_id bigint not null,
  field_name text not null,
  old_value text,
  new_value text,
  changed_at timestamptz not null default now(),
  constraint his_staff_change_pk primary key (org_id, id),
  constraint his_staff_change_of foreign key (org_id, staff_id) references his_staff (org_id, id)
);
create index his_staff_change_list on his_staff_change (org_id, staff_id, id desc);
call isolate_by_organisation('his_staff_change');
grant select, insert on his_staff_change to :app_role;

-- What a HIS that speaks plain JSON calls the fields of the interface, where it calls them otherwise.
create table his_field (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  resource text not null,
  field text not null,
  path text not null,
  codes text,
  changed_by text,
  changed_at timestamptz not null default now(),
  version int not null default 1,
  constraint his_field_pk primary key (org_id, id),
  constraint his_field_once unique (org_id, resource, field)
);
call isolate_by_organisation('his_field');
grant select, insert, update, delete on his_field to :app_role;
