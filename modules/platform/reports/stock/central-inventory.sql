-- The central stores' stock of a day by lot, with the limits of today, how long it lasts and how long nothing left.
with
  {{ part(stock-at, central_alone => true) }},
  {{ part(platform/reports/classed, class => :custom_type_sn) }},
  {{ part(platform/reports/finance-class) }},
  {{ part(platform/reports/class-then, day => :end_date) }},
  reserved as (
    select
      {{ columns_of(r, warehouse_id, specification_id, lot_id, owner_id) }},
      sum(r.quantity) as quantity
    from
      reservation r
    where
      r.org_id = :organisation
    group by all
  ),
  lots as (
    select
      {{ columns_of(x, warehouse_id, specification_id, lot_id, lot_no, expiry_date, expiry_band, owner_id) }},
      sum(x.quantity) as quantity,
      sum(x.quantity - {{ part(frozen-of) }}) filter (
        where
          x.quality_state = 'qualified'
          and (
            x.expiry_date is null
            or x.expiry_date >= :end_date
          )
          and not lot_is_recalled (:organisation, x.lot_id)
          and not lot_is_frozen (:organisation, x.lot_id)
      ) as sound,
      sum(x.amount) as amount
    from
      held x
    group by
      1,
      2,
      3,
      4,
      5,
      6,
      7
  ),
  -- The issues of the last thirty days less returns: they show how long the stock lasts.
  flow as (
    select
      m.warehouse_id,
      m.specification_id,
      - sum(m.quantity) as granted
    from
      stock_move m
    where
      m.org_id = :organisation
      and m.at >= {{ begin_of(:end_date - 29) }}
      and m.at < {{ begin_of(:end_date + 1) }}
      and m.step in ('grant', 'return')
      and m.warehouse_id in {{ column_of(lots, warehouse_id) }}
      and {{ feeds(m.document_kind, granted) }}
    group by all
  ),
  -- Goods that are not on a shelf yet, of each size; of a day that has passed they are not known.
  coming as (
    select
      c.warehouse_id,
      c.specification_id,
      sum(c.quantity) as quantity
    from
      stock_coming c
    where
      c.org_id = :organisation
      and :end_date = {{ day_of(posting_now()) }}
      and c.warehouse_id in {{ column_of(lots, warehouse_id) }}
    group by all
  )
select
  concat_ws('-', x.warehouse_id, x.specification_id, x.lot_id, x.owner_id) as row_key,
  w.name as warehouse_name,
  x.warehouse_id::text as warehouse_sn,
  {{ goods_columns(product_code, product_name, specification_name) }},
  x.specification_id::text as specification_sn,
  s.unit_name,
  (
    select
      v.name
    from
      organisation v
    where
      v.id = y.supplier_id
  ) as supplier_name,
  case
    when x.owner_id = :organisation then 'own'
    else 'consigned'
  end as ownership,
  fc.name as class_name,
  {{ columns_of(x, lot_no, expiry_date, expiry_band) }},
  x.quantity::numeric(18, 3) as quantity,
  greatest(0, coalesce(x.sound, 0) - coalesce(r.quantity, 0))::numeric(18, 3) as available,
  coalesce(r.quantity, 0)::numeric(18, 3) as reserved,
  -- Once for a size of a store, so that the rows add up.
  case
    when row_number() over (
      partition by
        x.warehouse_id,
        x.specification_id
      order by
        {{ columns_of(x, expiry_date, lot_id, owner_id) }}
    ) = 1 then i.quantity
  end::numeric(18, 3) as in_transit,
  g.max_quantity,
  g.min_quantity,
  round(
    sum(greatest(0, coalesce(x.sound, 0) - coalesce(r.quantity, 0))) over (
      partition by
        x.warehouse_id,
        x.specification_id
    ) / nullif(f.granted / 30, 0),
    0
  )::int as days_of_supply,
  round(x.amount / nullif(x.quantity, 0), 4) as price,
  x.amount::numeric(18, 2) as amount,
  {{ value_where(x.amount, x.owner_id = :organisation) }}::numeric(18, 2) as own_amount,
  case
    when x.owner_id = :organisation then 0
    else x.amount
  end::numeric(18, 2) as consigned_amount,
  m.last_out,
  :end_date - coalesce(m.last_out, m.first_in) as idle_days
from
  lots x
  cross join lateral ({{ part(supplier-of) }}) y
  -- The days when a lot came in first and left last: looked up by the lot alone, for the rows that are shown. As a
  -- condition, the day would be looked up among the moves of all lots.
  cross join lateral (
    select
      (
        select
          {{ filtered(max(n.business_date), n.at < (:end_date + 1)::timestamp at time zone 'Asia/Shanghai') }}
        from
          stock_move n
        where
          n.org_id = :organisation
          and n.lot_id = x.lot_id
          and n.warehouse_id = x.warehouse_id
          and n.owner_id = x.owner_id
          and n.quantity < 0
          and n.undo_of is null
      ) as last_out,
      (
        select
          {{ filtered(min(n.business_date), n.at < (:end_date + 1)::timestamp at time zone 'Asia/Shanghai') }}
        from
          stock_move n
        where
          n.org_id = :organisation
          and n.lot_id = x.lot_id
          and n.warehouse_id = x.warehouse_id
          and n.owner_id = x.owner_id
      ) as first_in
  ) m {{ store_of(x.warehouse_id) }} {{ product_if_any(x.specification_id) }}
  left join organisation o on o.id = p.manufacturer_id
  left join reserved r on r.warehouse_id = x.warehouse_id
  and r.specification_id = x.specification_id
  and r.lot_id = x.lot_id
  and r.owner_id = x.owner_id
  left join {{ own(stock_limit, g, warehouse_id = x.warehouse_id, specification_id = x.specification_id) }}
  left join coming i on i.warehouse_id = x.warehouse_id
  and i.specification_id = x.specification_id
  left join flow f on f.warehouse_id = x.warehouse_id
  and f.specification_id = x.specification_id
  left join class_then fc on fc.specification_id = x.specification_id
where
  w.model in ('central', 'consigned')
  and {{ named_product(p.name, p.code) }}
  and {{ made_by(o.name, p.brand) }}
  and {{ of_class(:custom_type_sn, x.specification_id, :end_date) }}
  and {{ asked(y.supplier_id, :supplier_sn) }}
  and {{ narrowed(x, ownership, expiry_band) }}
  and (
    :idle is null
    or :end_date - coalesce(m.last_out, m.first_in) > case :idle
      when 'slow' then 90
      else 180
    end
  )
order by
  w.name,
  p.code,
  s.code,
  {{ columns_of(x, expiry_date, warehouse_id, lot_id, owner_id) }}
