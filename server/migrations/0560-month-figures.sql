-- What each month brought to each store, by goods: a month that is over never changes, so its account is read and not summed again.
-- Goods of others count as pieces and not as value.
create table month_figure (
  org_id bigint not null, month date not null, warehouse_id bigint not null, specification_id bigint not null, is_own boolean not null,
  opening_quantity numeric(18,3) not null, opening_value numeric(18,2) not null, in_quantity numeric(18,3) not null, in_value numeric(18,2) not null,
  out_quantity numeric(18,3) not null, out_value numeric(18,2) not null, adjustment numeric(18,2) not null,
  constraint month_figure_pk primary key (org_id, month, warehouse_id, specification_id, is_own));
alter table month_figure enable row level security;
create policy own_rows on month_figure using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select on month_figure to :app_role;
-- Whether the figures of the month before, which ended here, stand; months sealed by an earlier version get theirs later.
alter table month_sealed add column has_figures boolean not null default false;

create function has_month_figures(p_month date) returns boolean language sql stable as $$
  select exists (select 1 from month_sealed where month = (p_month + interval '1 month')::date and has_figures)
$$;
