-- What a department brought in as the HIS counts it, without drugs; the newest word for a department of the HIS and a
-- month or day replaces the one before. Days and months of one department are not kept for the same month.
create table his_income (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  his_department_code text not null,
  department_id bigint not null,
  grain text not null,
  period_on date not null,
  income numeric(18,2) not null,
  drug_income numeric(18,2),
  changed_at timestamptz not null,
  read_at timestamptz not null default now(),
  version int not null default 1,
  constraint his_income_pk primary key (org_id, id),
  constraint his_income_once unique (org_id, his_department_code, grain, period_on),
  constraint his_income_department foreign key (org_id, department_id) references department (org_id, id),
  constraint his_income_grain check (grain in ('month', 'day')),
  constraint his_income_month check (grain = 'day' or period_on = date_trunc('month', period_on)),
  constraint his_income_amounts check (income >= 0 and drug_income >= 0)
);
create index his_income_list on his_income (org_id, period_on desc, id desc);
create index his_income_of_department on his_income (org_id, department_id, period_on);
call isolate_by_organisation('his_income');
grant select, insert, update, delete on his_income to :app_role;

-- Messages are listed for whoever looks after the interface.
alter table his_message add column id bigint not null default nextval('row_id_seq');
create unique index his_message_id on his_message (org_id, id);
create index his_message_list on his_message (org_id, received_at desc, id desc);
