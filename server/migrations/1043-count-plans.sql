-- 盘点计划: which goods of a store are counted how often, by what they move; due ones get a count on the plan's days.
create table count_plan (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  name text not null,
  warehouse_id bigint not null,
  take_method text not null default 'blind',
  share_a int not null default 80,
  share_b int not null default 15,
  days_a int not null default 30,
  days_b int not null default 90,
  days_c int not null default 180,
  calendar text not null default 'workdays',
  most_goods int not null default 50,
  last_on date,
  last_count_no text,
  status text not null default 'enabled',
  version int not null default 1,
  constraint count_plan_pk primary key (org_id, id),
  constraint count_plan_once unique (org_id, name),
  constraint count_plan_warehouse foreign key (org_id, warehouse_id) references warehouse (org_id, id)
);
call isolate_by_organisation('count_plan');
grant select, insert, update, delete on count_plan to :app_role;
