-- The stock at the end of a day by place, lot, owner and quality: of the last thirty days, today's less what was
-- posted after it; of an earlier day, the opening of its month and what was posted since. Own goods have the worth of
-- the ledger, goods of others that of their last delivery.
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
stock_at as materialized (
  select
    m.warehouse_id,
    m.location,
    m.specification_id,
    m.lot_id,
    m.owner_id,
    m.quality_state,
    sum(m.quantity) as quantity,
    sum(m.value) as value
  from
    (
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
    ) m
  where
    {{ warehouse_scope(m.warehouse_id) }}
    and (
      :warehouse_model_inner_sn is null
      or m.warehouse_id = :warehouse_model_inner_sn
    )
    and {{ same_specification(m.specification_id, :specification_sn) }}
  group by
    m.warehouse_id,
    m.location,
    m.specification_id,
    m.lot_id,
    m.owner_id,
    m.quality_state
  having
    sum(m.quantity) <> 0
),
bought_lot as (
  select
    lot_id
  from
    stock_at
  where
    owner_id <> :organisation
),
{{ part(reports/brought) }},
held as materialized (
  select
    x.*,
    l.lot_no,
    k.production_date,
    k.expiry_date,
    case
      when x.owner_id = :organisation then x.value
      else round(x.quantity * coalesce(b.price, 0), 2)
    end as amount,
    case
      when k.expiry_date is null
      or k.expiry_date >= :end_date + 181 then 'later'
      when k.expiry_date < :end_date then 'expired'
      when k.expiry_date <= :end_date + 30 then 'month'
      when k.expiry_date <= :end_date + 90 then 'quarter'
      else 'half'
    end as expiry_band
  from
    stock_at x
    join lot l on l.id = x.lot_id
    left join stock_lot k on k.org_id = :organisation
    and k.lot_id = x.lot_id
    left join brought b on b.lot_id = x.lot_id
)
