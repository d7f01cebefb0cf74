-- The consumption of each store in a month: for wards and cabinets their use, for the central store its grants less
-- returns. Closing = opening + in − consumed − returned ± found or lost.
with
  {{ part(platform/reports/finance-class) }},
  {{ part(month-moves, with_last => true, with_lots => :supplier_sn) }},
  {{ part(platform/reports/classed, class => :custom_type_sn) }},
  bought_lot as (
    select
      x.lot_id
    from
      month_rows x
    where
      x.owner_id <> :organisation
      or :supplier_sn is not null
  ),
  {{ part(platform/reports/brought) }},
  sided as (
    select
      x.warehouse_id,
      x.specification_id,
      x.owner_id = :organisation as is_own,
      x.stage,
      x.quantity,
      case
        when x.owner_id = :organisation then x.value
        else round(x.each * coalesce(b.price, 0), 2) * x.times
      end as value,
      case
        when {{ feeds(x.kind, used) }} then 'consumed'
        when {{ feeds(x.kind, granted) }}
        and w.model in ('central', 'consigned') then 'consumed'
        when {{ feeds(x.kind, found, lost, corrected) }} then 'found'
        when (x.quantity > 0) <> x.is_undo then 'in'
        else 'out'
      end as side
    from
      month_rows x {{ store_of(x.warehouse_id) }}
      left join brought b on b.lot_id = x.lot_id
      cross join taken_for_thousand ()
    where
      w.model not in ('transit', 'consumed')
      and {{ warehouse_scope(x.warehouse_id) }}
      and {{ department_scope(w.department_id) }}
      and {{ asked(x.warehouse_id, :warehouse_model_inner_sn) }}
      and {{ asked(w.model, :store_model) }}
      and {{ of_owner(x.owner_id) }}
      and (
        :supplier_sn is null
        or :supplier_sn = case
          when x.owner_id = :organisation then b.counterparty_id
          else x.owner_id
        end
      )
      and {{ same_specification(x.specification_id, :specification_sn) }}
  ),
  summed as (
    select
      warehouse_id,
      specification_id,
      is_own,
      {{ sum_where(quantity, stage <> 'month') }} as opening,
      {{ sum_where(quantity, stage = 'month' and side = 'in') }} as received,
      - {{ sum_where(quantity, stage = 'month' and side = 'consumed') }} as consumed,
      - {{ sum_where(value, stage = 'month' and side = 'consumed') }} as consumed_value,
      - {{ sum_where(quantity, stage = 'month' and side = 'out') }} as returned,
      {{ sum_where(quantity, stage = 'month' and side = 'found') }} as found,
      sum(quantity) as closing,
      sum(value) as closing_value,
      - {{ sum_where(quantity, stage = 'last' and side = 'consumed') }} as consumed_before
    from
      sided
    group by all
  )
select
  :period as period,
  w.name as warehouse_name,
  x.warehouse_id::text as warehouse_sn,
  {{ goods_columns(product_code, product_name, specification_name) }},
  x.specification_id::text as specification_sn,
  s.unit_name,
  fc.name as class_name,
  case
    when x.is_own then 'own'
    else 'consigned'
  end as ownership,
  x.opening::numeric(18, 3) as opening_quantity,
  x.received::numeric(18, 3) as received_quantity,
  x.consumed::numeric(18, 3) as consumed_quantity,
  x.returned::numeric(18, 3) as returned_quantity,
  x.found::numeric(18, 3) as found_quantity,
  x.closing::numeric(18, 3) as closing_quantity,
  x.consumed_value::numeric(18, 2) as consumed_amount,
  x.closing_value::numeric(18, 2) as closing_amount,
  x.consumed_before::numeric(18, 3) as consumed_before,
  round((x.consumed - x.consumed_before) / nullif(abs(x.consumed_before), 0), 4) as change,
  round(x.consumed / month.days, 3) as consumed_daily,
  round((x.opening + x.closing) / 2 / nullif(x.consumed / month.days, 0), 1) as turnover_days,
  month.day::text as first_day,
  (month.day + month.days - 1)::text as last_day
from
  month
  cross join summed x {{ store_of(x.warehouse_id) }} {{ product_if_any(x.specification_id) }}
  left join organisation o on o.id = p.manufacturer_id
  left join class_then fc on fc.specification_id = x.specification_id
where
  {{ named_product(p.name, p.code) }}
  and {{ made_by(o.name, p.brand) }}
  and (
    :custom_type_sn is null
    or exists (
      select
        1
      from
        classed y
      where
        y.specification_id = x.specification_id
        and month.day + month.days - 1 between y.valid_from and y.valid_to
    )
  )
  and (
    :with_consumption is not true
    or x.consumed <> 0
  )
  and (
    x.opening <> 0
    or x.closing <> 0
    or x.received <> 0
    or x.consumed <> 0
    or x.returned <> 0
    or x.found <> 0
  )
order by
  w.name,
  x.consumed_value desc,
  p.code,
  s.code
