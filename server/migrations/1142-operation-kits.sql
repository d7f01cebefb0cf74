-- The hospital's kits for operations: templates in versions, and the kits that were made up by them.
create table operation_kit (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  code text not null,
  version_no int not null default 1,
  name text not null,
  surgery_name text not null,
  surgery_code text,
  department_id bigint,
  doctor text,
  kit_type text not null default 'basic',
  is_splittable boolean not null default true,
  pictures text[] not null default '{}',
  remark text,
  is_current boolean not null default true,
  changed_by text,
  changed_at timestamptz not null default posting_now(),
  status text not null default 'enabled',
  version int not null default 1,
  constraint operation_kit_pk primary key (org_id, id),
  constraint operation_kit_code unique (org_id, code, version_no),
  constraint operation_kit_type check (kit_type in ('basic', 'special', 'emergency')),
  constraint operation_kit_department foreign key (org_id, department_id) references department (org_id, id)
);
call isolate_by_organisation('operation_kit');
grant select, insert, update, delete on operation_kit to :app_role;

create table operation_kit_line (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  operation_kit_id bigint not null,
  specification_id bigint not null,
  quantity numeric(18,3) not null,
  is_required boolean not null default true,
  substitute_id bigint,
  second_substitute_id bigint,
  sort_no int not null default 0,
  version int not null default 1,
  constraint operation_kit_line_pk primary key (org_id, id),
  constraint operation_kit_line_once unique (org_id, operation_kit_id, specification_id),
  constraint operation_kit_line_of foreign key (org_id, operation_kit_id) references operation_kit (org_id, id)
    on delete cascade,
  constraint operation_kit_line_specification foreign key (specification_id) references specification (id),
  constraint operation_kit_line_quantity check (quantity > 0)
);
call isolate_by_organisation('operation_kit_line');
grant select, insert, update, delete on operation_kit_line to :app_role;

alter table pack alter column template_id drop not null;
alter table pack add column kit_id bigint;

-- A made-up kit, under the number of its first part; what was used of it, once that is known.
create table made_kit (
  org_id bigint not null,
  id bigint not null,
  lot_id bigint not null,
  code text not null,
  operation_kit_id bigint not null,
  document_id bigint not null,
  issue_sn text,
  unpack_sn text,
  use_sn text,
  settled_by text,
  settled_at timestamptz,
  version int not null default 1,
  constraint made_kit_pk primary key (org_id, id),
  constraint made_kit_code unique (org_id, code),
  constraint made_kit_template foreign key (org_id, operation_kit_id) references operation_kit (org_id, id)
);
create index made_kit_of on made_kit (org_id, operation_kit_id, settled_at);
create index made_kit_document on made_kit (org_id, document_id);
call isolate_by_organisation('made_kit');
grant select, insert, update, delete on made_kit to :app_role;

create table made_kit_line (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  made_kit_id bigint not null,
  part_code text not null,
  lot_id bigint not null,
  specification_id bigint not null,
  quantity numeric(18,3) not null,
  used_quantity numeric(18,3),
  returned_quantity numeric(18,3),
  version int not null default 1,
  constraint made_kit_line_pk primary key (org_id, id),
  constraint made_kit_line_of foreign key (org_id, made_kit_id) references made_kit (org_id, id) on delete cascade
);
create index made_kit_line_kit on made_kit_line (org_id, made_kit_id);
call isolate_by_organisation('made_kit_line');
grant select, insert, update, delete on made_kit_line to :app_role;
