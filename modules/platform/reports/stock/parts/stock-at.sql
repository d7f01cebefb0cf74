-- The stock at the end of a day by place, lot, owner and quality; `central_alone` of the central stores. Own goods have
-- the worth of the ledger, goods of others that of their last delivery.
{{ part(platform/reports/held-then) }},
stock_at as materialized (
  select
    {{ columns_of(m, warehouse_id, location, specification_id, lot_id, owner_id, quality_state) }},
    sum(m.quantity) as quantity,
    sum(m.value) as value
  from
    held_then m
  where
    {{ store_scope(m.warehouse_id) }}
    and {{ asked(m.warehouse_id, :warehouse_model_inner_sn) }}
    and (
      not :central_alone
      or m.warehouse_id in (
        select
          id
        from
          warehouse
        where
          org_id = :organisation
          and model in ('central', 'consigned')
      )
    )
    and {{ same_specification(m.specification_id, :specification_sn) }}
  group by all
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
{{ part(platform/reports/brought) }},
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
    left join {{ own(stock_lot, k, lot_id = x.lot_id) }}
    left join brought b on b.lot_id = x.lot_id
)
