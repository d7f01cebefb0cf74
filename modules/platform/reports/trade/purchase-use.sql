-- The goods of each supplier that were bought, given back, used, settled and left in a period, over all stores and
-- goods on the way. 账面差异 = opening + bought − returned − used ± found or lost − closing: what came or left in other
-- ways.
with
  since as not materialized (
    select
      sealed_month ({{ begin_of(:begin_date) }}) as base
  ),
  {{ part(platform/reports/classed, class => :custom_type_sn) }},
  {{ part(platform/reports/finance-class) }},
  rows as materialized (
    select
      {{ columns_of(m, specification_id, lot_id, owner_id) }},
      'opening' as side,
      m.quantity,
      m.value
    from
      since,
      month_opening m
    where
      m.org_id = :organisation
      and m.month = since.base
      and {{ store_scope(m.warehouse_id) }}
    union all
    select
      {{ columns_of(m, specification_id, lot_id, owner_id) }},
      case
        when m.at < {{ begin_of(:begin_date) }} then 'opening'
        when {{ feeds(m.document_kind, delivered) }} then 'bought'
        when {{ takes_back(m.document_kind, purchased) }} then 'returned'
        when {{ feeds(m.document_kind, used) }} then 'used'
        when {{ feeds(m.document_kind, found, lost, corrected) }} then 'found'
        else 'other'
      end,
      m.quantity,
      m.value
    from
      since,
      stock_move m
    where
      m.org_id = :organisation
      and m.at >= month_start (since.base)
      and m.at < {{ begin_of(:end_date + 1) }}
      and {{ store_scope(m.warehouse_id) }}
  ),
  bought_lot as {{ column_of(rows, lot_id) }},
  {{ part(platform/reports/brought) }},
  goods as (
    select
      x.specification_id,
      case
        when x.owner_id = :organisation then b.counterparty_id
        else x.owner_id
      end as supplier_id,
      x.owner_id <> :organisation as is_consigned,
      x.side,
      x.quantity,
      case
        when x.owner_id = :organisation then x.value
        else round(x.quantity * coalesce(b.price, 0), 2)
      end as value
    from
      rows x
      left join brought b on b.lot_id = x.lot_id
  ),
  moved as (
    select
      specification_id,
      supplier_id,
      is_consigned,
      {{ sum_where(quantity, side = 'opening') }} as opening,
      {{ sum_where(quantity, side = 'bought') }} as bought,
      - {{ sum_where(quantity, side = 'returned') }} as returned,
      - {{ sum_where(quantity, side = 'used') }} as used,
      {{ sum_where(quantity, side = 'found') }} as found,
      - {{ sum_where(quantity, side = 'other') }} as gap,
      sum(quantity) as closing,
      {{ sum_where(value, side = 'bought') }} as bought_value,
      - {{ sum_where(value, side = 'used') }} as used_value
    from
      goods
    group by all
  ),
  settled as (
    select
      l.specification_id,
      d.counterparty_id as supplier_id,
      sum(l.base_quantity) as quantity,
      sum(l.taxed_amount) as amount
    from
      document d {{ lines_of(d.id) }}
    where
      d.org_id = :organisation
      and d.role = 'own'
      and {{ counted(d, settled) }}
      and coalesce((d.fields ->> 'settled_on')::date, d.business_date) between :begin_date and :end_date
    group by all
  ),
  compared as (
    select
      coalesce(m.specification_id, t.specification_id) as specification_id,
      coalesce(m.supplier_id, t.supplier_id) as supplier_id,
      coalesce(m.is_consigned, true) as is_consigned,
      coalesce(m.opening, 0) as opening,
      coalesce(m.bought, 0) as bought,
      coalesce(m.returned, 0) as returned,
      coalesce(m.used, 0) as used,
      coalesce(m.found, 0) as found,
      coalesce(m.gap, 0) as gap,
      coalesce(m.closing, 0) as closing,
      coalesce(m.bought_value, 0) as bought_value,
      coalesce(m.used_value, 0) as used_value,
      coalesce(t.quantity, 0) as settled,
      coalesce(t.amount, 0) as settled_value
    from
      moved m
      full join settled t on m.is_consigned
      and t.specification_id = m.specification_id
      and t.supplier_id = m.supplier_id
  ),
  judged as (
    select
      x.*,
      case
        when not x.is_consigned then null
        when x.settled > x.used then 'oversettled'
        when x.used > x.settled then 'unsettled'
        when x.closing > 0
        and x.used = 0
        and not exists (
          select
            1
          from
            stock_move m
          where
            m.org_id = :organisation
            and m.specification_id = x.specification_id
            and m.owner_id = x.supplier_id
            and m.step = 'use'
            and m.at >= {{ begin_of(:end_date - 89) }}
        ) then 'idle'
      end as difference
    from
      compared x
  )
select
  c.name as supplier_name,
  x.supplier_id::text as supplier_sn,
  {{ goods_columns(product_code, product_name, specification_name) }},
  x.specification_id::text as specification_sn,
  s.unit_name,
  fc.name as class_name,
  {{ regime_of(x.is_consigned) }} as regime,
  x.opening::numeric(18, 3) as opening_quantity,
  x.bought::numeric(18, 3) as bought_quantity,
  x.returned::numeric(18, 3) as returned_quantity,
  x.used::numeric(18, 3) as used_quantity,
  x.settled::numeric(18, 3) as settled_quantity,
  x.found::numeric(18, 3) as found_quantity,
  x.closing::numeric(18, 3) as closing_quantity,
  x.gap::numeric(18, 3) as gap_quantity,
  x.bought_value::numeric(18, 2) as bought_amount,
  x.used_value::numeric(18, 2) as used_amount,
  x.settled_value::numeric(18, 2) as settled_amount,
  round(x.used / nullif(x.opening + x.bought - x.returned, 0), 4) as consumption_rate,
  x.difference
from
  judged x {{ product_if_any(x.specification_id) }}
  left join organisation o on o.id = p.manufacturer_id
  left join organisation c on c.id = x.supplier_id {{ class_on(:end_date) }}
where
  {{ asked(x.supplier_id, :supplier_sn) }}
  and {{ asked_goods(x.specification_id) }}
  and {{ of_class(:custom_type_sn, x.specification_id, :end_date) }}
  and {{ of_regime(x.is_consigned) }}
  and {{ asked(p.is_high_value, :is_high_value) }}
  and {{ asked(x.difference, :difference) }}
  and (
    :only_differences is not true
    or x.difference is not null
    or x.gap <> 0
  )
  and (
    x.opening <> 0
    or x.closing <> 0
    or x.bought <> 0
    or x.used <> 0
    or x.settled <> 0
    or x.returned <> 0
    or x.found <> 0
  )
order by
  c.name nulls last,
  p.code,
  s.code
