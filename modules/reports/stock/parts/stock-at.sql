-- The stock at the end of a day by place, lot, owner and quality: today's less what was posted after it. Own goods have
-- the worth of the ledger, goods of others that of their last delivery.
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
        warehouse_id,
        location,
        specification_id,
        lot_id,
        owner_id,
        quality_state,
        quantity,
        value
      from
        stock_balance
      where
        org_id = :organisation
      union all
      select
        warehouse_id,
        location,
        specification_id,
        lot_id,
        owner_id,
        quality_state,
        - quantity,
        - value
      from
        stock_move
      where
        org_id = :organisation
        and at >= (:end_date + 1)::timestamp at time zone 'Asia/Shanghai'
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
  select distinct
    l.lot_no
  from
    stock_at x
    join lot l on l.id = x.lot_id
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
      when x.owner_id = :organisation then b.counterparty_id
      else x.owner_id
    end as supplier_id,
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
    left join brought b on b.specification_id = x.specification_id
    and b.lot_no = l.lot_no
)
