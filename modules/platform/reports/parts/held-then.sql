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
        (:end_date + 1)::timestamp at time zone 'Asia/Shanghai' as at
    ) e
),
held_then as (
  select
    b.warehouse_id,
    b.location,
    b.specification_id,
    b.lot_id,
    b.owner_id,
    b.quality_state,
    b.quantity,
    b.value
  from
    day_end,
    stock_balance b
  where
    day_end.is_recent
    and b.org_id = :organisation
  union all
  select
    n.warehouse_id,
    n.location,
    n.specification_id,
    n.lot_id,
    n.owner_id,
    n.quality_state,
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
    o.warehouse_id,
    o.location,
    o.specification_id,
    o.lot_id,
    o.owner_id,
    o.quality_state,
    o.quantity,
    o.value
  from
    day_end,
    month_opening o
  where
    not day_end.is_recent
    and o.org_id = :organisation
    and o.month = day_end.base
  union all
  select
    n.warehouse_id,
    n.location,
    n.specification_id,
    n.lot_id,
    n.owner_id,
    n.quality_state,
    n.quantity,
    n.value
  from
    day_end,
    stock_move n
  where
    not day_end.is_recent
    and n.org_id = :organisation
    and n.at >= month_start (day_end.base)
    and n.at < day_end.at
)
