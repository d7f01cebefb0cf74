-- The charge and material dictionary of a hospital's HIS, as it was last read.
create table his_item (
  org_id bigint not null,
  id bigint not null default nextval('reference_id_seq'),
  item_code text not null,
  item_name text not null,
  material_code text,
  his_specification text,
  his_unit text,
  his_price numeric(18,4) not null,
  insurance_code text,
  manufacturer text,
  udi_di text,
  is_active boolean not null default true,
  changed_at timestamptz not null,
  read_at timestamptz not null default now(),
  constraint his_item_pk primary key (org_id, id),
  constraint his_item_code unique (org_id, item_code)
);
create index his_item_insurance on his_item (org_id, insurance_code) where insurance_code is not null;
create index his_item_material on his_item (org_id, material_code) where material_code is not null;
create index his_item_di on his_item (org_id, udi_di) where udi_di is not null;
call isolate_by_organisation('his_item');
grant select, insert, update, delete on his_item to :app_role;

-- How each row of a hospital's catalogue stands to that dictionary today. Its id is that of the catalogue's row.
create table his_match (
  org_id bigint not null,
  id bigint not null,
  specification_id bigint not null,
  match_state text not null default 'none',
  his_item_id bigint,
  factor numeric(12,4) not null default 1,
  valid_from date,
  basis text,
  differences text[] not null default '{}',
  remark text,
  matched_by text,
  matched_at timestamptz,
  push_call_id bigint,
  version int not null default 1,
  constraint his_match_pk primary key (org_id, id),
  constraint his_match_once unique (org_id, specification_id),
  constraint his_match_product foreign key (org_id, id) references hospital_product (org_id, id) on delete cascade,
  constraint his_match_item foreign key (org_id, his_item_id) references his_item (org_id, id),
  constraint his_match_factor check (factor > 0),
  constraint his_match_state check (match_state in ('none', 'proposed', 'matched', 'different', 'skipped')),
  constraint his_match_paired check (match_state in ('none', 'skipped') = (his_item_id is null))
);
create index his_match_of_item on his_match (org_id, his_item_id) where his_item_id is not null;
call isolate_by_organisation('his_match');
grant select, insert, update, delete on his_match to :app_role;

-- Every pair that was in force, with its days: a use is charged by the one of its day.
create table his_match_version (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  specification_id bigint not null,
  his_item_id bigint not null,
  factor numeric(12,4) not null,
  valid_from date not null,
  valid_to date,
  matched_by text not null,
  matched_at timestamptz not null default now(),
  ended_by text,
  ended_at timestamptz,
  constraint his_match_version_pk primary key (org_id, id),
  constraint his_match_version_item foreign key (org_id, his_item_id) references his_item (org_id, id)
);
create index his_match_version_of on his_match_version (org_id, specification_id, valid_from desc, id desc);
create index his_match_version_matched on his_match_version (org_id, matched_at desc, id desc);
call isolate_by_organisation('his_match_version');
grant select, insert, update on his_match_version to :app_role;
