-- Laboratory reagents: the step at which a bottle counts as used, analysers and refrigerators, and each bottle with
-- what was done to it.
alter table hospital_product add column consumed_on text not null default 'open';
alter table hospital_product add constraint hospital_product_consumed_on check (consumed_on in ('open', 'load'));
alter table hospital_product add column reagent_type text not null default 'reagent';
alter table hospital_product add constraint hospital_product_reagent_type
  check (reagent_type in ('reagent', 'calibrator', 'control', 'supply'));

create table analyser (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  code text not null,
  name text not null,
  model text,
  manufacturer text,
  department_id bigint,
  lis_code text,
  remark text,
  status text not null default 'enabled',
  version int not null default 1,
  constraint analyser_pk primary key (org_id, id),
  constraint analyser_code unique (org_id, code),
  constraint analyser_department foreign key (org_id, department_id) references department (org_id, id)
);
call isolate_by_organisation('analyser');
grant select, insert, update, delete on analyser to :app_role;

create table refrigerator (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  code text not null,
  name text not null,
  warehouse_id bigint not null,
  location text,
  temperature_min numeric(18,3) not null default 2,
  temperature_max numeric(18,3) not null default 8,
  remark text,
  status text not null default 'enabled',
  version int not null default 1,
  constraint refrigerator_pk primary key (org_id, id),
  constraint refrigerator_code unique (org_id, code),
  constraint refrigerator_warehouse foreign key (org_id, warehouse_id) references warehouse (org_id, id),
  constraint refrigerator_range check (temperature_min <= temperature_max)
);
call isolate_by_organisation('refrigerator');
grant select, insert, update, delete on refrigerator to :app_role;

-- Readings of a refrigerator: kept as they were written.
create table refrigerator_reading (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  refrigerator_id bigint not null,
  temperature numeric(18,3) not null,
  is_out boolean not null,
  opinion text,
  recorded_by text not null,
  read_at timestamptz not null default posting_now(),
  version int not null default 1,
  constraint refrigerator_reading_pk primary key (org_id, id),
  constraint refrigerator_reading_of foreign key (org_id, refrigerator_id) references refrigerator (org_id, id)
);
create index refrigerator_reading_newest on refrigerator_reading (org_id, refrigerator_id, read_at desc);
call isolate_by_organisation('refrigerator_reading');
grant select, insert on refrigerator_reading to :app_role;

-- Bottles that a laboratory took in, under the number of their unit.
create table reagent (
  org_id bigint not null,
  id bigint not null,
  lot_id bigint not null,
  code text not null,
  specification_id bigint not null,
  warehouse_id bigint not null,
  department_id bigint,
  refrigerator_id bigint,
  place text,
  temperature numeric(18,3),
  opinion text,
  remark text,
  state text not null default 'in_stock',
  received_at timestamptz not null default posting_now(),
  opened_at timestamptz,
  open_expiry date,
  analyser_id bigint,
  channel text,
  loaded_at timestamptz,
  unloaded_at timestamptz,
  closed_at timestamptz,
  tests_per_kit int,
  tests_by_hand int not null default 0,
  tests_by_lis int not null default 0,
  lis_read_at timestamptz,
  use_document_id bigint,
  use_sn text,
  scrap_reason text,
  handled_by text not null,
  version int not null default 1,
  constraint reagent_pk primary key (org_id, id),
  constraint reagent_code unique (org_id, code),
  constraint reagent_state check (state in ('in_stock', 'opened', 'loaded', 'unloaded', 'finished', 'scrapped')),
  constraint reagent_specification foreign key (specification_id) references specification (id),
  constraint reagent_warehouse foreign key (org_id, warehouse_id) references warehouse (org_id, id)
);
create index reagent_use on reagent (org_id, use_document_id) where use_document_id is not null;
create index reagent_open on reagent (org_id, open_expiry) where state in ('opened', 'loaded', 'unloaded');
create index reagent_lot on reagent (org_id, specification_id, lot_id);
call isolate_by_organisation('reagent');
grant select, insert, update, delete on reagent to :app_role;

-- What was done to a bottle, in order; it only grows.
create table reagent_step (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  reagent_id bigint not null,
  lot_id bigint not null,
  code text not null,
  operation text not null,
  state_before text,
  done_at timestamptz not null,
  department_id bigint,
  warehouse_id bigint,
  analyser_id bigint,
  channel text,
  tests int,
  temperature numeric(18,3),
  control_result text,
  calibration_lot text,
  document_sn text,
  done_by text not null,
  remark text,
  constraint reagent_step_pk primary key (org_id, id)
);
create index reagent_step_of on reagent_step (org_id, reagent_id, id);
create index reagent_step_loads on reagent_step (org_id, analyser_id, lot_id) where operation = 'load';
create index reagent_step_day on reagent_step (org_id, done_at desc);
call isolate_by_organisation('reagent_step');
grant select, insert on reagent_step to :app_role;
