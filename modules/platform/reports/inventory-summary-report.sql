-- A reversal's moves are negative in the column of its kind, so a kind's net is one figure, whatever was undone. By the
-- moment of posting, from the opening of a month on: the same opening and closing as the stock card and the month-end
-- account. Amounts are of own goods only: goods of other owners have no value for us.
with
  since as not materialized (
    select
      sealed_month ({{ begin_of(:begin_date) }}) as base
  ),
  {{ part(posted) }},
  rows as (
    select
      {{ columns_of(m, warehouse_id, specification_id, lot_id, owner_id, quantity, value) }},
      'opening' as side
    from
      since,
      month_opening m
    where
      m.org_id = :organisation
      and m.month = since.base
    union all
    select
      {{ columns_of(m, warehouse_id, specification_id, lot_id, owner_id, quantity, value) }},
      case
        when m.at < {{ begin_of(:begin_date) }} then 'opening'
        else m.side
      end
    from
      posted m
  ),
  moved as (
    select
      coalesce(z.stands_for_id, m.specification_id) as specification_id,
      m.quantity,
      {{ value_where(m.value, m.owner_id = :organisation) }} as value,
      m.side
    from
      rows m
      left join mapped_size z on z.specification_id = m.specification_id {{ store_of(m.warehouse_id) }}
    where
      w.org_id = :organisation
      and w.model not in ('transit', 'consumed')
      and {{ asked(m.warehouse_id, :warehouse_model_inner_sn) }}
      and {{ warehouse_scope(m.warehouse_id) }}
      and {{ department_scope(w.department_id) }}
      and {{ same_specification(m.specification_id, :specification_sn) }}
      and {{ if_asked(:regime, (:regime = 'purchased') = (m.owner_id = :organisation)) }}
      and {{ of_lots(m.lot_id) }}
  ),
  summed as (
    select
      specification_id,
      {{ sum_where(quantity, side = 'opening') }}::numeric(18, 3) as opening_quantity,
      {{ sum_where(value, side = 'opening') }}::numeric(18, 2) as opening_value,
      {{ sum_where(quantity, side = 'purchase_in') }}::numeric(18, 3) as purchase_in,
      {{ sum_where(quantity, side = 'return_in') }}::numeric(18, 3) as return_in,
      {{ sum_where(quantity, side = 'transfer_in') }}::numeric(18, 3) as transfer_in,
      {{ sum_where(quantity, side = 'other_in') }}::numeric(18, 3) as other_in,
      {{ sum_where(- quantity, side = 'issue_out') }}::numeric(18, 3) as issue_out,
      {{ sum_where(- quantity, side = 'use_out') }}::numeric(18, 3) as use_out,
      {{ sum_where(- quantity, side = 'transfer_out') }}::numeric(18, 3) as transfer_out,
      {{ sum_where(- quantity, side in ('other_out', 'purchase_back')) }}::numeric(18, 3) as other_out,
      sum(quantity) as closing_quantity,
      sum(value) as closing_value
    from
      moved
    group by all
      -- Goods without moves in the period and without stock get no row.
    having
      {{ filtered(count(*), side is distinct from 'opening') }} > 0
      or sum(quantity) <> 0
      or sum(value) <> 0
  )
select
  {{ goods_columns(product_code, product_name, specification_name, unit_name, manufacturer_name) }},
  {{ columns_of(x, opening_quantity, opening_value, purchase_in, return_in, transfer_in, other_in) }},
  x.purchase_in + x.return_in + x.transfer_in + x.other_in as total_in,
  {{ columns_of(x, issue_out, use_out, transfer_out, other_out) }},
  x.issue_out + x.use_out + x.transfer_out + x.other_out as total_out,
  x.closing_quantity,
  x.closing_value,
  x.specification_id::text as specification_sn
from
  summed x {{ goods(x.specification_id) }}
order by
  p.code,
  s.code
