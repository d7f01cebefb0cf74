-- Instruments that are lent, each under a code of its own; sets of them by templates; what happened to each.

create table tools_template (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  code text not null,
  name text not null,
  system_brand text,
  surgery_name text,
  trays text,
  weight numeric(18,3),
  remark text,
  pictures text[] not null default '{}',
  status text not null default 'enabled',
  version int not null default 1,
  constraint tools_template_pk primary key (org_id, id),
  constraint tools_template_code unique (org_id, code),
  constraint tools_template_weight check (weight > 0)
);
call isolate_by_organisation('tools_template');
grant select, insert, update, delete on tools_template to :app_role;

create table tools_template_line (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  tools_template_id bigint not null,
  tray text not null default '1',
  tool_code text not null,
  name text not null,
  model text,
  quantity int not null,
  is_key boolean not null default false,
  remark text,
  version int not null default 1,
  constraint tools_template_line_pk primary key (org_id, id),
  constraint tools_template_line_once unique (org_id, tools_template_id, tool_code),
  constraint tools_template_line_of foreign key (org_id, tools_template_id) references tools_template (org_id, id)
    on delete cascade,
  constraint tools_template_line_quantity check (quantity > 0)
);
call isolate_by_organisation('tools_template_line');
grant select, insert, update, delete on tools_template_line to :app_role;

create table tools_kit (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  code text not null,
  tools_template_id bigint not null,
  warehouse_id bigint not null,
  place text,
  sterilisation_method text,
  label_code text,
  packed_by text not null default 'list',
  out_plan_id bigint,
  out_at timestamptz,
  due_back_on date,
  is_dirty boolean not null default false,
  in_repair boolean not null default false,
  counted_at timestamptz,
  sterilised_at timestamptz,
  use_count int not null default 0,
  confirmed_gaps int,
  confirmed_by text,
  remark text,
  status text not null default 'enabled',
  version int not null default 1,
  constraint tools_kit_pk primary key (org_id, id),
  constraint tools_kit_code unique (org_id, code),
  constraint tools_kit_packed check (packed_by in ('list', 'scan')),
  constraint tools_kit_template foreign key (org_id, tools_template_id) references tools_template (org_id, id),
  constraint tools_kit_warehouse foreign key (org_id, warehouse_id) references warehouse (org_id, id),
  constraint tools_kit_out foreign key (org_id, out_plan_id) references document (org_id, id)
);
create unique index tools_kit_label on tools_kit (org_id, label_code) where label_code is not null;
create index tools_kit_of on tools_kit (org_id, tools_template_id);
create index tools_kit_plan on tools_kit (org_id, out_plan_id) where out_plan_id is not null;
call isolate_by_organisation('tools_kit');
grant select, insert, update, delete on tools_kit to :app_role;

-- What a set should hold: its template as it was when the set was packed or counted last.
create table tools_kit_line (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  tools_kit_id bigint not null,
  tray text not null default '1',
  tool_code text not null,
  name text not null,
  model text,
  quantity int not null,
  is_key boolean not null default false,
  remark text,
  version int not null default 1,
  constraint tools_kit_line_pk primary key (org_id, id),
  constraint tools_kit_line_once unique (org_id, tools_kit_id, tool_code),
  constraint tools_kit_line_of foreign key (org_id, tools_kit_id) references tools_kit (org_id, id) on delete cascade
);
call isolate_by_organisation('tools_kit_line');
grant select, insert, update, delete on tools_kit_line to :app_role;

create table surgical_tool (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  code text not null,
  tool_code text not null,
  name text not null,
  model text,
  material text,
  manufacturer text,
  registration_no text,
  udi_di text,
  system_brand text,
  tools_kit_id bigint,
  warehouse_id bigint not null,
  place text,
  is_powered boolean not null default false,
  max_uses int,
  use_count int not null default 0,
  sterilisation_count int not null default 0,
  sterilised_on date,
  service_days int,
  serviced_on date,
  bought_on date,
  original_value numeric(18,2),
  supplier_id bigint,
  state text not null default 'in_stock',
  pictures text[] not null default '{}',
  remark text,
  version int not null default 1,
  constraint surgical_tool_pk primary key (org_id, id),
  constraint surgical_tool_code unique (org_id, code),
  constraint surgical_tool_state
    check (state in ('in_stock', 'packed', 'out', 'dirty', 'repair', 'scrapped', 'lost')),
  constraint surgical_tool_uses check (max_uses > 0),
  constraint surgical_tool_service check (service_days > 0),
  constraint surgical_tool_warehouse foreign key (org_id, warehouse_id) references warehouse (org_id, id),
  constraint surgical_tool_kit foreign key (org_id, tools_kit_id) references tools_kit (org_id, id),
  constraint surgical_tool_packed check (state <> 'packed' or tools_kit_id is not null)
);
create index surgical_tool_of_kit on surgical_tool (org_id, tools_kit_id) where tools_kit_id is not null;
create index surgical_tool_free on surgical_tool (org_id, warehouse_id, tool_code) where state = 'in_stock';
call isolate_by_organisation('surgical_tool');
grant select, insert, update, delete on surgical_tool to :app_role;

-- What happened to an instrument. It only grows, but goes with a piece that nothing ever happened to.
create table surgical_tool_event (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  surgical_tool_id bigint not null,
  step text not null,
  document_sn text,
  from_place text,
  to_place text,
  handled_by text not null,
  remark text,
  at timestamptz not null default posting_now(),
  version int not null default 1,
  constraint surgical_tool_event_pk primary key (org_id, id),
  constraint surgical_tool_event_of foreign key (org_id, surgical_tool_id) references surgical_tool (org_id, id)
    on delete cascade
);
create index surgical_tool_event_tool on surgical_tool_event (org_id, surgical_tool_id, id);
call isolate_by_organisation('surgical_tool_event');
grant select, insert on surgical_tool_event to :app_role;

alter table operation_kit add constraint operation_kit_tools
  foreign key (org_id, tools_template_id) references tools_template (org_id, id);
alter table implant_kit add constraint implant_kit_tools
  foreign key (org_id, tools_kit_id) references tools_kit (org_id, id);
