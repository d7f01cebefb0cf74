-- The rows that sum up to the stock at the end of the day :end_date: for the last thirty days, today's balances less
-- what was posted after that day; for an earlier day, the opening of its month and what was posted since. No rows
-- without a day.
day_end as not materialized (
  select
    e.at,
    e.at >= now() - interval '31 days' as is_recent,
    sealed_month (e.at) as base
  from
    (
      select
        {{ begin_of(:end_date + 1) }} as at
    ) e
),
held_then as (
  select
    {{ columns_of(b, warehouse_id, location, specification_id, lot_id, owner_id, quality_state, quantity, value) }}
  from
    day_end,
    stock_balance b
  where
    day_end.is_recent
    and b.org_id = :organisation
  union all
  select
    {{ columns_of(n, warehouse_id, location, specification_id, lot_id, owner_id, quality_state) }},
    - n.quantity,
    - n.value
  from
    day_end,
    stock_move n
  where
    day_end.is_recent
    and n.org_id = :organisation
    and n.at >= day_end.at
  union all
  select
    {{ columns_of(o, warehouse_id, location, specification_id, lot_id, owner_id, quality_state, quantity, value) }}
  from
    day_end,
    month_opening o
  where
    not day_end.is_recent
    and o.org_id = :organisation
    and o.month = day_end.base
  union all
  select
    {{ columns_of(n, warehouse_id, location, specification_id, lot_id, owner_id, quality_state, quantity, value) }}
  from
    day_end,
    stock_move n
  where
    not day_end.is_recent
    and n.org_id = :organisation
    and n.at >= month_start (day_end.base)
    and n.at < day_end.at
)
