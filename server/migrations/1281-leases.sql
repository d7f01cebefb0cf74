-- Areas of a warehouse that are let: what they are kept like and how large they are. Shelves and places follow the
-- area of the same code in the warehouse.
create table lease_area (
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
  area_m2 numeric(18,3) not null,
  month_rent numeric(18,4),
  sensor_no text,
  keeper_id bigint,
  remark text,
  status text not null default 'enabled',
  version int not null default 1,
  constraint lease_area_pk primary key (org_id, id),
  constraint lease_area_once unique (org_id, warehouse_id, code),
  constraint lease_area_warehouse foreign key (org_id, warehouse_id) references warehouse (org_id, id),
  constraint lease_area_size check (area_m2 > 0)
);
call isolate_by_organisation('lease_area');
grant select, insert, update, delete on lease_area to :app_role;

-- Contracts with the tenants of a warehouse.
create table lease_contract (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  lessee_id bigint not null,
  contract_no text not null,
  valid_from date not null,
  valid_to date not null,
  warehouse_id bigint not null,
  charged_by text not null default 'area',
  price numeric(18,4),
  deposit numeric(18,2),
  settle_cycle text not null default 'month',
  storage_conditions text[] not null default '{}',
  device_scope text,
  quality_manager text,
  contact text,
  phone text,
  storage_files text[] not null default '{}',
  quality_files text[] not null default '{}',
  remark text,
  stopped_on date,
  stop_reason text,
  status text not null default 'disabled',
  version int not null default 1,
  constraint lease_contract_pk primary key (org_id, id),
  constraint lease_contract_no unique (org_id, contract_no),
  constraint lease_contract_warehouse foreign key (org_id, warehouse_id) references warehouse (org_id, id),
  constraint lease_contract_days check (valid_to >= valid_from)
);
create index lease_contract_of on lease_contract (org_id, lessee_id);
call isolate_by_organisation('lease_contract');
grant select, insert, update, delete on lease_contract to :app_role;

-- Which areas a contract lets, how much of each, and in which days.
create table lease_line (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  lease_contract_id bigint not null,
  lease_area_id bigint not null,
  area_m2 numeric(18,3) not null,
  pallets numeric(18,3),
  volume_m3 numeric(18,3),
  start_on date not null,
  end_on date,
  price numeric(18,4),
  remark text,
  version int not null default 1,
  constraint lease_line_pk primary key (org_id, id),
  constraint lease_line_contract foreign key (org_id, lease_contract_id) references lease_contract (org_id, id),
  constraint lease_line_area foreign key (org_id, lease_area_id) references lease_area (org_id, id),
  constraint lease_line_days check (end_on is null or end_on >= start_on)
);
create index lease_line_of_contract on lease_line (org_id, lease_contract_id);
create index lease_line_of_area on lease_line (org_id, lease_area_id, start_on);
call isolate_by_organisation('lease_line');
grant select, insert, update, delete on lease_line to :app_role;

-- What a month of a let area costs; written once a month, written again only while nobody confirmed it.
create table lease_fee (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  lease_contract_id bigint not null,
  lease_line_id bigint not null,
  month text not null,
  charged_by text not null,
  measure numeric(18,3) not null,
  price numeric(18,4) not null,
  days int not null,
  month_days int not null,
  amount numeric(18,2) not null,
  fee_state text not null default 'open',
  confirmed_by text,
  confirmed_at timestamptz,
  version int not null default 1,
  constraint lease_fee_pk primary key (org_id, id),
  constraint lease_fee_once unique (org_id, lease_line_id, month),
  constraint lease_fee_line foreign key (org_id, lease_line_id) references lease_line (org_id, id)
);
create index lease_fee_of on lease_fee (org_id, lease_contract_id, month);
call isolate_by_organisation('lease_fee');
grant select, insert, update, delete on lease_fee to :app_role;

-- Readings of the thermometer of an area. `warned`: people were told of the excursion that it belongs to.
create table area_reading (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  lease_area_id bigint not null,
  read_at timestamptz not null,
  temperature numeric(18,3) not null,
  humidity numeric(18,3),
  is_outside boolean not null,
  warned boolean not null default false,
  constraint area_reading_pk primary key (org_id, id),
  constraint area_reading_once unique (org_id, lease_area_id, read_at),
  constraint area_reading_area foreign key (org_id, lease_area_id) references lease_area (org_id, id)
);
call isolate_by_organisation('area_reading');
grant select, insert, update, delete on area_reading to :app_role;

-- What a tenant is told of the areas that are let to him: his own rows, one a lease line, written again as it changes.
create table rented_area (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  lessor_id bigint not null,
  of_line_id bigint not null,
  contract_no text not null,
  contract_state text not null,
  warehouse_id bigint not null,
  warehouse_name text not null,
  area_id bigint not null,
  area_code text not null,
  area_name text not null,
  area_kind text not null,
  storage_condition text not null,
  temperature_min numeric(18,3),
  temperature_max numeric(18,3),
  humidity_min numeric(18,3),
  humidity_max numeric(18,3),
  area_m2 numeric(18,3) not null,
  start_on date not null,
  end_on date not null,
  stock numeric(18,3) not null default 0,
  reading text,
  version int not null default 1,
  constraint rented_area_pk primary key (org_id, id),
  constraint rented_area_once unique (org_id, lessor_id, of_line_id)
);
call isolate_by_organisation('rented_area');
grant select, insert, update, delete on rented_area to :app_role;
