-- Months that an organisation has closed: nothing more is booked with a date inside them. `id` is the month as a number, 202611.
create table accounting_period (
  org_id bigint not null, id bigint not null, state text not null default 'open',
  closed_by text, closed_at timestamptz, reopened_by text, reopened_at timestamptz, reopen_reason text, version int not null default 1,
  constraint accounting_period_pk primary key (org_id, id),
  constraint accounting_period_month check (id between 190001 and 999912 and id % 100 between 1 and 12),
  constraint accounting_period_state check (state in ('open', 'closed')));
alter table accounting_period enable row level security;
create policy own_rows on accounting_period using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update on accounting_period to :app_role;

-- Every month since an organisation's first booking, closed or not.
create view accounting_month with (security_invoker = true) as
select o.id as org_id, to_char(g.month, 'YYYYMM')::bigint as id, to_char(g.month, 'YYYY-MM') as period, coalesce(p.state, 'open') as state,
       p.closed_by, p.closed_at, p.reopened_by, p.reopened_at, p.reopen_reason, coalesce(p.version, 1) as version
  from organisation o
 cross join lateral (select m.at from stock_move m where m.org_id = o.id order by m.id limit 1) first
 cross join lateral generate_series(date_trunc('month', first.at at time zone 'Asia/Shanghai'), date_trunc('month', posting_now() at time zone 'Asia/Shanghai'), interval '1 month') g(month)
  left join accounting_period p on p.org_id = o.id and p.id = to_char(g.month, 'YYYYMM')::bigint;
grant select on accounting_month to :app_role;
