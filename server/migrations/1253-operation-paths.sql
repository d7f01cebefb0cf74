-- Standards for operations: stages with the kits, sets and goods that each needs, in versions.
create table operation_path (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  code text not null,
  version_no int not null default 1,
  is_current boolean not null default true,
  parent_id bigint,
  name text not null,
  surgery_code text,
  body_site text,
  needs_side boolean not null default false,
  department_id bigint,
  department_name text,
  lead_hours int not null default 24,
  system_brand text,
  duration_minutes int,
  origin text not null default 'own',
  template_id bigint,
  template_version int,
  attachments text[] not null default '{}',
  remark text,
  review_state text not null default 'draft',
  written_by text not null,
  author_id bigint,
  reviewed_by text,
  reviewed_at timestamptz,
  status text not null default 'disabled',
  version int not null default 1,
  constraint operation_path_pk primary key (org_id, id),
  constraint operation_path_code unique (org_id, code, version_no),
  constraint operation_path_origin check (origin in ('own', 'platform')),
  constraint operation_path_review check (review_state in ('draft', 'submitted', 'reviewed')),
  constraint operation_path_lead check (lead_hours >= 0),
  constraint operation_path_parent foreign key (org_id, parent_id) references operation_path (org_id, id),
  constraint operation_path_department foreign key (org_id, department_id) references department (org_id, id)
);
create unique index operation_path_enabled
  on operation_path (org_id, surgery_code, coalesce(department_id, 0), coalesce(department_name, ''))
  where status = 'enabled' and surgery_code is not null;
create index operation_path_tree on operation_path (org_id, parent_id) where parent_id is not null;
create unique index operation_path_from_template on operation_path (org_id, template_id, template_version)
  where template_id is not null;
call isolate_by_organisation('operation_path');
grant select, insert, update, delete on operation_path to :app_role;

create table operation_path_line (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  operation_path_id bigint not null,
  stage_no int not null,
  stage text not null,
  item_type text not null,
  operation_kit_id bigint,
  tools_template_id bigint,
  specification_id bigint,
  -- A kit or set as the platform names it: whoever applies the path has it under a code of his own.
  item_code text,
  item_name text,
  size_range text,
  quantity numeric(18,3) not null,
  max_quantity numeric(18,3) not null,
  is_required boolean not null default true,
  substitute text,
  remark text,
  version int not null default 1,
  constraint operation_path_line_pk primary key (org_id, id),
  constraint operation_path_line_of foreign key (org_id, operation_path_id) references operation_path (org_id, id)
    on delete cascade,
  constraint operation_path_line_type check (item_type in ('kit', 'toolsKit', 'goods')),
  constraint operation_path_line_quantity check (quantity > 0),
  constraint operation_path_line_most check (quantity <= max_quantity),
  constraint operation_path_line_specification foreign key (specification_id) references specification (id)
);
create index operation_path_line_path on operation_path_line (org_id, operation_path_id, stage_no);
call isolate_by_organisation('operation_path_line');
grant select, insert, update, delete on operation_path_line to :app_role;
