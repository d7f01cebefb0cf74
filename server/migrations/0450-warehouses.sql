-- Stores, their areas and shelves, and what is watched in them.

-- Stores of an organisation. The model says what a store is: its own, a ward, a cabinet, goods on the way.
create table warehouse (
  org_id bigint not null,
  id bigint not null default nextval('reference_id_seq'),
  code text not null,
  name text not null,
  model text not null,
  type smallint not null default 3,
  department_id bigint,
  parent_id bigint,
  manager_id bigint,
  storage text,
  address text,
  use_locations boolean not null default false,
  remark text,
  -- What a store's page says beyond its name: whom to ring, how large it is, how warm and damp it may be, and when
  -- its goods are spent: as they are used, or as they are granted to it.
  phone text,
  floor_area numeric(18,3),
  accounting text not null default 'use',
  temperature_min numeric(18,3),
  temperature_max numeric(18,3),
  humidity_min numeric(18,3),
  humidity_max numeric(18,3),
  status text not null default 'enabled',
  version int not null default 1,
  constraint warehouse_pk primary key (org_id, id),
  constraint warehouse_code unique (org_id, code),
  constraint warehouse_department foreign key (org_id, department_id) references department (org_id, id),
  constraint warehouse_model
    check (
      model in ('central','ward','cabinet','consigned','virtual','transit','consumed','stopSale','leased','advance')
    ),
  constraint warehouse_accounting check (accounting in ('use', 'issue'))
);
call isolate_by_organisation('warehouse');
grant select, insert, update, delete on warehouse to :app_role;

-- 库区: the areas of a store, each for goods of one quality and kept as they want it. Shelves stand in them and follow
-- what they say.
create table store_area (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  warehouse_id bigint not null,
  code text not null,
  name text not null,
  area_kind text not null default 'qualified',
  storage_condition text not null default 'normal',
  temperature_min numeric(18,3),
  temperature_max numeric(18,3),
  humidity_min numeric(18,3),
  humidity_max numeric(18,3),
  remark text,
  status text not null default 'enabled',
  version int not null default 1,
  constraint store_area_pk primary key (org_id, id),
  constraint store_area_once unique (org_id, warehouse_id, code),
  constraint store_area_warehouse foreign key (org_id, warehouse_id) references warehouse (org_id, id)
);
call isolate_by_organisation('store_area');
grant select, insert, update, delete on store_area to :app_role;

-- Shelves of a store and the places on them; a place's code is what stock rows bear as their location.
create table shelf (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  warehouse_id bigint not null,
  area text not null,
  area_kind text not null default 'qualified',
  code text not null,
  name text,
  shelf_type text not null default 'plain',
  layers int not null default 1,
  columns_count int not null default 1,
  storage_condition text not null default 'normal',
  pick_order int not null default 0,
  remark text,
  status text not null default 'enabled',
  version int not null default 1,
  constraint shelf_pk primary key (org_id, id),
  constraint shelf_once unique (org_id, warehouse_id, area, code),
  constraint shelf_warehouse foreign key (org_id, warehouse_id) references warehouse (org_id, id),
  constraint shelf_size check (layers between 1 and 99 and columns_count between 1 and 99)
);
call isolate_by_organisation('shelf');
grant select, insert, update, delete on shelf to :app_role;

-- The places on a shelf.
create table shelf_place (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  shelf_id bigint not null,
  warehouse_id bigint not null,
  layer int not null,
  column_no int not null,
  code text not null,
  specification_id bigint,
  is_fixed boolean not null default false,
  capacity numeric(18,3),
  tag_no text,
  lit_at timestamptz,
  status text not null default 'enabled',
  version int not null default 1,
  constraint shelf_place_pk primary key (org_id, id),
  constraint shelf_place_code unique (org_id, warehouse_id, code),
  constraint shelf_place_shelf foreign key (org_id, shelf_id) references shelf (org_id, id),
  constraint shelf_place_specification foreign key (specification_id) references specification (id)
);
create index shelf_place_of on shelf_place (org_id, shelf_id);
call isolate_by_organisation('shelf_place');
grant select, insert, update, delete on shelf_place to :app_role;

-- What a store may hold of each specification: its limits, where it lies and from where it is filled up.
create table warehouse_product (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  warehouse_id bigint not null,
  specification_id bigint not null,
  min_quantity numeric(18,3) not null default 0,
  reorder_point numeric(18,3) not null default 0,
  max_quantity numeric(18,3) not null default 0,
  location text,
  replenishment text not null default 'levels',
  source_warehouse_id bigint,
  pack_size numeric(18,3),
  used_on_receipt boolean not null default false,
  single_limit numeric(18,3),
  month_quota numeric(18,3),
  status text not null default 'enabled',
  version int not null default 1,
  constraint warehouse_product_pk primary key (org_id, id),
  constraint warehouse_product_once unique (org_id, warehouse_id, specification_id),
  constraint warehouse_product_warehouse foreign key (org_id, warehouse_id) references warehouse (org_id, id),
  constraint warehouse_product_order
    check (0 <= min_quantity and min_quantity <= reorder_point and reorder_point <= max_quantity)
);
call isolate_by_organisation('warehouse_product');
grant select, insert, update, delete on warehouse_product to :app_role;

-- Temperature and humidity of an area, once every half day.
create table temperature_log (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  warehouse_id bigint not null,
  area text not null default '全库',
  log_date date not null,
  half text not null,
  temperature numeric(18,3) not null,
  humidity numeric(18,3) not null,
  is_out boolean not null default false,
  recorded_by text,
  recorded_at timestamptz not null default posting_now(),
  measure text,
  version int not null default 1,
  constraint temperature_log_pk primary key (org_id, id),
  constraint temperature_log_once unique (org_id, warehouse_id, area, log_date, half)
);
create index temperature_log_day on temperature_log (org_id, log_date desc, id desc);
call isolate_by_organisation('temperature_log');
grant select, insert, update, delete on temperature_log to :app_role;

-- Plates that weigh what lies on them: one specification and one lot at a time.
create table weighing_plate (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  code text not null,
  rack text,
  warehouse_id bigint not null,
  location text,
  specification_id bigint,
  lot_no text,
  tare_g numeric(18,3) not null default 0,
  piece_g numeric(18,3),
  weight_g numeric(18,3) not null default 0,
  tolerance_g numeric(18,3) not null default 5,
  pieces numeric(18,3),
  lower_limit numeric(18,3),
  par_level numeric(18,3),
  is_door_open boolean not null default false,
  read_at timestamptz,
  replenish_sn text,
  status text not null default 'enabled',
  version int not null default 1,
  constraint weighing_plate_pk primary key (org_id, id),
  constraint weighing_plate_code unique (org_id, code)
);
call isolate_by_organisation('weighing_plate');
grant select, insert, update, delete on weighing_plate to :app_role;

-- What is about to expire, has expired, runs out or lies idle: one row an object and category, closed when its cause
-- is gone.
create table warning (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  category text not null,
  object_key text not null,
  level text not null,
  severity smallint not null,
  object_kind text not null,
  object_name text not null,
  code text,
  partner_id bigint,
  warehouse_id bigint,
  department_id bigint,
  specification_id bigint,
  quantity numeric(18,3),
  expiry_date date,
  threshold numeric(18,3),
  proposed numeric(18,3),
  first_at timestamptz not null default now(),
  state text not null default 'open',
  settled_severity smallint not null default 0,
  handled_by text,
  handled_at timestamptz,
  note text,
  -- Warnings of documents with what they are: whose, of which kind, for which product.
  reminded_on date,
  responsible text,
  version int not null default 1,
  constraint warning_pk primary key (org_id, id),
  constraint warning_once unique (org_id, category, object_key)
);
create index warning_list on warning (org_id, category, state, severity desc, expiry_date);
call isolate_by_organisation('warning');
grant select, insert, update, delete on warning to :app_role;

-- Up to which move of goods, and for which day, an organisation's warnings were counted.
create table warning_count (
  org_id bigint not null,
  day date not null,
  move_id bigint not null,
  -- When an organisation's warnings were counted last, and up to which moment of posting: numbers of moves are given
  -- out of order.
  counted_at timestamptz,
  moved_at timestamptz,
  constraint warning_count_pk primary key (org_id)
);
call isolate_by_organisation('warning_count');
grant select, insert, update, delete on warning_count to :app_role;

-- How many days ahead an organisation wants to be warned. One row each; what it leaves empty is as the platform set
-- it.
create table warning_setting (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  expiry_days int,
  licence_days int,
  certificate_days int not null default 90,
  urgent_days int not null default 30,
  idle_days int not null default 180,
  stop_days int not null default 7,
  tells boolean not null default true,
  version int not null default 1,
  constraint warning_setting_pk primary key (org_id, id),
  constraint warning_setting_once unique (org_id)
);
call isolate_by_organisation('warning_setting');
grant select, insert, update, delete on warning_setting to :app_role;

-- What an owner of consigned goods asks their keeper to use soon: once a lot and day. Sent by a background job, in
-- the keeper's own transaction.
create table use_reminder (
  org_id bigint not null,
  customer_id bigint not null,
  lot_id bigint not null,
  day date not null,
  specification_id bigint not null,
  expiry_date date,
  quantity numeric(18,3) not null,
  asked_by text not null,
  asked_at timestamptz not null default posting_now(),
  notified_at timestamptz,
  constraint use_reminder_pk primary key (org_id, customer_id, lot_id, day)
);
create index use_reminder_waiting on use_reminder (org_id, day) where notified_at is null;
call isolate_by_organisation('use_reminder');
grant select, insert, update on use_reminder to :app_role;
