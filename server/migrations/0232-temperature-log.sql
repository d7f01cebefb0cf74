-- Temperature and humidity of an area, once every half day.
create table temperature_log (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  warehouse_id bigint not null, area text not null default '全库', log_date date not null, half text not null,
  temperature numeric(18,3) not null, humidity numeric(18,3) not null, is_out boolean not null default false,
  recorded_by text, recorded_at timestamptz not null default posting_now(), measure text, version int not null default 1,
  constraint temperature_log_pk primary key (org_id, id),
  constraint temperature_log_once unique (org_id, warehouse_id, area, log_date, half));
create index temperature_log_day on temperature_log (org_id, log_date desc, id desc);
alter table temperature_log enable row level security;
create policy own_rows on temperature_log using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update, delete on temperature_log to :app_role;
