-- The accounting month of the hospital's own goods by class, in money: closing = opening + came in − left, and every
-- move is on one of its sides. Consigned goods are not stock: a settlement comes in and is spent with the same amount.
-- Without the wards' stores a grant is spent; with them goods on the way to them are stock too, and only used goods are
-- spent.
with
  {{ part(platform/reports/finance-class) }},
  {{ part(month-moves, with_last => false, with_lots => null) }},
  own as (
    select
      {{ columns_of(x, specification_id, stage, value) }},
      case
        when {{ feeds(x.kind, delivered) }} then 'purchase'
        when {{ feeds(x.kind, found) }} then 'overflow'
        when {{ feeds(x.kind, granted, ward_received, used) }} then 'issued'
        when {{ takes_back(x.kind, purchased) }} then 'sent_back'
        when {{ feeds(x.kind, lost) }} then 'lost'
        when (x.value > 0) <> x.is_undo then 'other_in'
        else 'other_out'
      end as side
    from
      month_rows x {{ store_of(x.warehouse_id) }}
    where
      x.owner_id = :organisation
      and w.model <> 'consumed'
      and (
        :with_wards is true
        or w.model in ('central', 'consigned', 'stopSale')
      )
      and {{ warehouse_scope(x.warehouse_id) }}
      and {{ department_scope(w.department_id) }}
      and {{ asked(x.warehouse_id, :warehouse_model_inner_sn) }}
    union all
    -- Settled goods of other owners came in and were spent.
    select
      l.specification_id,
      'month',
      l.taxed_amount * n.sign,
      n.side
    from
      month
      join {{ own(document, d, role = 'own') }}
      and {{ counted(d, titled) }}
      and d.reviewed_at >= month.first
      and d.reviewed_at < month.next {{ lines_of(d.id) }}
      cross join (
        values
          ('settled', 1),
          ('issued', -1)
      ) n (side, sign)
    where
      :warehouse_model_inner_sn is null
      and {{ warehouse_scope(d.warehouse_id) }}
      and {{ department_scope(d.department_id) }}
  ),
  summed as materialized (
    select
      specification_id,
      stage,
      side,
      sum(value) as value
    from
      own
    group by all
  )
select
  :period as period,
  fc.account_code,
  coalesce(fc.name, '未分类') as class_name,
  {{ sum_where(x.value, x.stage <> 'month') }}::numeric(18, 2) as opening_value,
  {{ sum_where(x.value, x.stage = 'month' and x.side = 'purchase') }}::numeric(18, 2) as purchase_in,
  {{ sum_where(x.value, x.stage = 'month' and x.side = 'settled') }}::numeric(18, 2) as settled_in,
  {{ sum_where(x.value, x.stage = 'month' and x.side = 'overflow') }}::numeric(18, 2) as overflow_in,
  {{ sum_where(x.value, x.stage = 'month' and x.side = 'other_in') }}::numeric(18, 2) as other_in,
  coalesce(
    sum(x.value) filter (
      where
        x.stage = 'month'
        and x.side in ('purchase', 'settled', 'overflow', 'other_in')
    ),
    0
  )::numeric(18, 2) as total_in,
  - {{ sum_where(x.value, x.stage = 'month' and x.side = 'issued') }}::numeric(18, 2) as issued_out,
  - {{ sum_where(x.value, x.stage = 'month' and x.side = 'sent_back') }}::numeric(18, 2) as sent_back,
  - {{ sum_where(x.value, x.stage = 'month' and x.side = 'lost') }}::numeric(18, 2) as lost,
  - {{ sum_where(x.value, x.stage = 'month' and x.side = 'other_out') }}::numeric(18, 2) as other_out,
  - coalesce(
    sum(x.value) filter (
      where
        x.stage = 'month'
        and x.side in ('issued', 'sent_back', 'lost', 'other_out')
    ),
    0
  )::numeric(18, 2) as total_out,
  sum(x.value)::numeric(18, 2) as closing_value
from
  month
  cross join summed x
  left join class_then fc on fc.specification_id = x.specification_id
where
  (
    :class_name is null
    or coalesce(fc.name, '未分类') like '%' || :class_name || '%'
  )
group by
  fc.account_code,
  fc.name
having
  bool_or(x.value <> 0)
order by
  fc.account_code nulls last,
  fc.name
