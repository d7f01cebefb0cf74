-- What lay in each store when a month began, by the moment of posting: moves are never dated back by that moment, so it holds
-- for ever once the month has come. Reports begin there instead of with the first move of all.
create table month_opening (
  org_id bigint not null, month date not null, warehouse_id bigint not null, specification_id bigint not null, lot_id bigint not null,
  owner_id bigint not null, quality_state text not null, quantity numeric(18,3) not null, value numeric(18,2) not null,
  constraint month_opening_pk primary key (org_id, month, warehouse_id, specification_id, lot_id, owner_id, quality_state));
alter table month_opening enable row level security;
create policy own_rows on month_opening using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select on month_opening to :app_role;
-- The months whose openings stand, for all organisations.
create table month_sealed (
  month date not null, sealed_at timestamptz not null default now(),
  constraint month_sealed_pk primary key (month));
grant select on month_sealed to :app_role;
-- Days ahead of the moment of posting are rare, and reports by business day have to know them.
create index stock_move_ahead on stock_move (org_id, business_date) where business_date > (at at time zone 'Asia/Shanghai')::date;

create index stock_move_org_at on stock_move (org_id, at);

create function month_start(p_month date) returns timestamptz language sql immutable as $$
  select coalesce(p_month::timestamp at time zone 'Asia/Shanghai', '-infinity'::timestamptz)
$$;
-- The last month whose opening stands and that began by this moment; null where there is none.
create function sealed_month(p_by timestamptz) returns date language sql stable as $$
  select max(month) from month_sealed where month_start(month) <= p_by
$$;
