-- By the moment of posting. Amounts are of own goods only: goods of other owners have no value for us. From the opening
-- of a month on, unless the parameters name documents of one kind, a partner or a department: an opening does not know
-- its documents. A row is a lot over all warehouses, owners and days, split by those of them by which the call groups.
-- The opening of a month is the closing of the one before.
with
  {{ part(classed, class => :custom_type_sn) }},
  since as not materialized (
    select
      case
        when :document_kind is null
        and :counterparty_sn is null
        and :department_inner_sn is null then sealed_month ({{ begin_of(:begin_date) }})
      end as base
  ),
  {{ part(posted) }},
  months as (
    select
      to_char(m, 'YYYY-MM') as month
    from
      generate_series(date_trunc('month', :begin_date::timestamp), :end_date::timestamp, interval '1 month') m
    where
      :grouped_by_month
    union all
    select
      ''
    where
      not :grouped_by_month
  ),
  rows as (
    select
      {{ columns_of(m, warehouse_id, specification_id, lot_id, owner_id) }},
      true as is_before,
      null::timestamptz as at,
      m.quantity,
      m.value,
      null::text as side
    from
      since,
      month_opening m
    where
      m.org_id = :organisation
      and m.month = since.base
    union all
    select
      {{ columns_of(m, warehouse_id, specification_id, lot_id, owner_id) }},
      m.at < {{ begin_of(:begin_date) }},
      {{ columns_of(m, at, quantity, value, side) }}
    from
      posted m
    where
      {{ asked(m.document_kind, :document_kind) }}
      and (
        :counterparty_sn is null
        and :department_inner_sn is null
        or exists (
          select
            1
          from
            document d
          where
            d.org_id = :organisation
            and d.id = m.document_id
            and {{ narrowed(d, counterparty_sn, department_inner_sn) }}
        )
      )
  ),
  moved as (
    select
      {{ when_grouped(:grouped_by_warehouse_name, m.warehouse_id) }} as warehouse_id,
      {{ when_grouped(:grouped_by_owner_name, m.owner_id) }} as owner_id,
      {{ columns_of(m, specification_id, lot_id, is_before) }},
      case
        when not :grouped_by_month then ''
        else to_char(
          case
            when m.is_before then :begin_date::timestamp
            else m.at at time zone 'Asia/Shanghai'
          end,
          'YYYY-MM'
        )
      end as month,
      m.quantity,
      {{ value_where(m.value, m.owner_id = :organisation) }} as value,
      case
        when m.side = 'use_out' then 'other_out'
        else m.side
      end as side
    from
      rows m {{ store_of(m.warehouse_id) }}
    where
      w.model not in ('transit', 'consumed')
      and {{ asked(m.warehouse_id, :warehouse_model_inner_sn) }}
      and {{ warehouse_scope(m.warehouse_id) }}
      and {{ department_scope(w.department_id) }}
      and {{ same_specification(m.specification_id, :specification_sn) }}
      and {{ of_class(:custom_type_sn, m.specification_id, :end_date) }}
      and {{ asked(m.owner_id, :owner_org_sn) }}
      and {{ of_lots(m.lot_id) }}
  ),
  summed as (
    select
      warehouse_id,
      owner_id,
      specification_id,
      lot_id,
      month,
      {{ filtered(count(*), not is_before) }} as moves,
      sum(quantity) as quantity,
      sum(value) as value,
      {{ sum_where(quantity, is_before) }} as opening_quantity,
      {{ sum_where(value, is_before) }} as opening_value,
      {{ sum_where(value, not is_before and side is null) }} as adjustment,
      {{ sum_where(quantity, not is_before and side = 'purchase_in') }} as purchase_in,
      {{ sum_where(value, not is_before and side = 'purchase_in') }} as purchase_in_value,
      {{ sum_where(quantity, not is_before and side = 'return_in') }} as return_in,
      {{ sum_where(value, not is_before and side = 'return_in') }} as return_in_value,
      {{ sum_where(quantity, not is_before and side = 'transfer_in') }} as transfer_in,
      {{ sum_where(value, not is_before and side = 'transfer_in') }} as transfer_in_value,
      {{ sum_where(quantity, not is_before and side = 'other_in') }} as other_in,
      {{ sum_where(value, not is_before and side = 'other_in') }} as other_in_value,
      {{ sum_where(- quantity, not is_before and side = 'issue_out') }} as issue_out,
      {{ sum_where(- value, not is_before and side = 'issue_out') }} as issue_out_value,
      {{ sum_where(- quantity, not is_before and side = 'purchase_back') }} as purchase_back,
      {{ sum_where(- value, not is_before and side = 'purchase_back') }} as purchase_back_value,
      {{ sum_where(- quantity, not is_before and side = 'transfer_out') }} as transfer_out,
      {{ sum_where(- value, not is_before and side = 'transfer_out') }} as transfer_out_value,
      {{ sum_where(- quantity, not is_before and side = 'other_out') }} as other_out,
      {{ sum_where(- value, not is_before and side = 'other_out') }} as other_out_value
    from
      moved
    group by all
  ),
  distinguished as (
    select
      {{ columns_of(x, warehouse_id, owner_id, specification_id, lot_id) }},
      t.month,
      coalesce(
        sum(
          case
            when x.month < t.month then x.quantity
            else x.opening_quantity
          end
        ),
        0
      )::numeric(18, 3) as opening_quantity,
      coalesce(
        sum(
          case
            when x.month < t.month then x.value
            else x.opening_value
          end
        ),
        0
      )::numeric(18, 2) as opening_value,
      {{ sum_where(x.purchase_in, x.month = t.month) }}::numeric(18, 3) as purchase_in,
      {{ sum_where(x.purchase_in_value, x.month = t.month) }}::numeric(18, 2) as purchase_in_value,
      {{ sum_where(x.return_in, x.month = t.month) }}::numeric(18, 3) as return_in,
      {{ sum_where(x.return_in_value, x.month = t.month) }}::numeric(18, 2) as return_in_value,
      {{ sum_where(x.transfer_in, x.month = t.month) }}::numeric(18, 3) as transfer_in,
      {{ sum_where(x.transfer_in_value, x.month = t.month) }}::numeric(18, 2) as transfer_in_value,
      {{ sum_where(x.other_in, x.month = t.month) }}::numeric(18, 3) as other_in,
      {{ sum_where(x.other_in_value, x.month = t.month) }}::numeric(18, 2) as other_in_value,
      {{ sum_where(x.issue_out, x.month = t.month) }}::numeric(18, 3) as issue_out,
      {{ sum_where(x.issue_out_value, x.month = t.month) }}::numeric(18, 2) as issue_out_value,
      {{ sum_where(x.purchase_back, x.month = t.month) }}::numeric(18, 3) as purchase_back,
      {{ sum_where(x.purchase_back_value, x.month = t.month) }}::numeric(18, 2) as purchase_back_value,
      {{ sum_where(x.transfer_out, x.month = t.month) }}::numeric(18, 3) as transfer_out,
      {{ sum_where(x.transfer_out_value, x.month = t.month) }}::numeric(18, 2) as transfer_out_value,
      {{ sum_where(x.other_out, x.month = t.month) }}::numeric(18, 3) as other_out,
      {{ sum_where(x.other_out_value, x.month = t.month) }}::numeric(18, 2) as other_out_value,
      {{ sum_where(x.adjustment, x.month = t.month) }}::numeric(18, 2) as adjustment,
      sum(x.quantity)::numeric(18, 3) as closing_quantity,
      sum(x.value)::numeric(18, 2) as closing_value
    from
      summed x
      join months t on t.month >= x.month
    group by all
      -- Goods without moves in the month and without stock get no row.
    having
      {{ filtered(sum(x.moves), x.month = t.month) }} > 0
      or sum(x.quantity) <> 0
      or sum(x.value) <> 0
  )
select
  {{ goods_columns(product_code, product_name, specification_name, manufacturer_name) }},
  l.lot_no,
  k.expiry_date,
  s.unit_name,
  w.name as warehouse_name,
  h.name as owner_name,
  nullif(x.month, '') as month,
  {{ columns_of(x, opening_quantity, opening_value, purchase_in, return_in, transfer_in, other_in) }},
  x.purchase_in + x.return_in + x.transfer_in + x.other_in as total_in,
  {{ columns_of(x, issue_out, purchase_back, transfer_out, other_out) }},
  x.issue_out + x.purchase_back + x.transfer_out + x.other_out as total_out,
  {{ columns_of(x, purchase_in_value, return_in_value, transfer_in_value, other_in_value) }},
  x.purchase_in_value + x.return_in_value + x.transfer_in_value + x.other_in_value as total_in_value,
  {{ columns_of(x, issue_out_value, purchase_back_value, transfer_out_value, other_out_value) }},
  x.issue_out_value + x.purchase_back_value + x.transfer_out_value + x.other_out_value as total_out_value,
  {{ columns_of(x, adjustment, closing_quantity, closing_value) }},
  x.specification_id::text as specification_sn
from
  distinguished x {{ product_if_any(x.specification_id) }}
  left join organisation o on o.id = p.manufacturer_id
  left join lot l on l.id = x.lot_id
  left join stock_lot k on k.org_id = :organisation
  and k.lot_id = x.lot_id {{ store_if_any(x.warehouse_id) }}
  left join organisation h on h.id = x.owner_id
where
  {{ named_product(p.name, p.code) }}
  and {{ made_by(o.name, p.brand) }}
order by
  p.code,
  s.code,
  k.expiry_date,
  l.lot_no,
  x.month,
  w.name,
  h.name
