-- Kits of implants at dealers and makers: a template is a version of operation_kit, a numbered kit a place in a store.

alter table operation_kit add column is_implant_set boolean not null default false;
alter table operation_kit add column system_brand text;
alter table operation_kit add column body_site text;
alter table operation_kit add column tools_template_id bigint;
alter table operation_kit add column template_id bigint;
alter table operation_kit add column template_version int;
create unique index operation_kit_name on operation_kit (org_id, name) where is_current and is_implant_set;
create unique index operation_kit_from_template on operation_kit (org_id, template_id, template_version)
  where template_id is not null;
alter table operation_kit_line add column tray text;
alter table operation_kit_line add column remark text;

-- What is in a numbered kit is what the ledger has at the place of its code.
create table implant_kit (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  code text not null,
  operation_kit_id bigint not null,
  warehouse_id bigint not null,
  place text,
  tools_kit_id bigint,
  label_code text,
  packed_by text not null default 'list',
  out_plan_id bigint,
  out_at timestamptz,
  due_back_on date,
  counted_at timestamptz,
  confirmed_shortage numeric(18,3),
  confirmed_by text,
  remark text,
  status text not null default 'enabled',
  version int not null default 1,
  constraint implant_kit_pk primary key (org_id, id),
  constraint implant_kit_code unique (org_id, code),
  constraint implant_kit_packed check (packed_by in ('list', 'scan')),
  constraint implant_kit_template foreign key (org_id, operation_kit_id) references operation_kit (org_id, id),
  constraint implant_kit_warehouse foreign key (org_id, warehouse_id) references warehouse (org_id, id),
  constraint implant_kit_out foreign key (org_id, out_plan_id) references document (org_id, id)
);
create unique index implant_kit_label on implant_kit (org_id, label_code) where label_code is not null;
create index implant_kit_of on implant_kit (org_id, operation_kit_id);
create index implant_kit_plan on implant_kit (org_id, out_plan_id) where out_plan_id is not null;
call isolate_by_organisation('implant_kit');
grant select, insert, update, delete on implant_kit to :app_role;

-- The goods at a place of a kit: read by its code, wherever the kit stands.
create index stock_balance_location on stock_balance (org_id, location) where location <> '';
