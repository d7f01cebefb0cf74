-- The goods that each hospital received from us, gave back, used, settled and has left in a period: consigned goods by
-- the memo of goods at customers; sold goods without their stock at the hospital, which is the hospital's own matter.
-- 账面差异 = opening + bought − returned − used ± found or lost − closing.
with
  {{ part(platform/reports/use/use-rows) }},
  {{ part(platform/reports/classed, class => :custom_type_sn) }},
  {{ part(platform/reports/finance-class) }},
  held as (
    select
      m.customer_id as hospital_id,
      m.specification_id,
      case
        when m.at < {{ begin_of(:begin_date) }} then 'opening'
        when m.step in ('ship', 'receive') then 'bought'
        when m.step in ('return', 'arrive_reject') then 'returned'
        when m.step = 'use' then 'used'
        when m.step in ('loss', 'scrap', 'overflow') then 'found'
        else 'other'
      end as side,
      m.quantity,
      -- Parts of a line share its amount: the last takes what rounding left.
      share_between (
        l.taxed_amount,
        coalesce(
          sum(m.quantity) over (
            partition by
              m.document_id,
              m.line_no
            order by
              m.id rows between unbounded preceding
              and 1 preceding
          ),
          0
        ),
        m.quantity,
        nullif(l.base_quantity, 0)
      ) as amount
    from
      consigned_move m
      left join {{ own(document_line, l, document_id = m.document_id, line_no = m.line_no) }}
    where
      m.org_id = :organisation
      and m.at < {{ begin_of(:end_date + 1) }}
  ),
  sold as (
    select
      d.counterparty_id as hospital_id,
      l.specification_id,
      {{ takes_back(d.kind, sold) }} as is_return,
      l.base_quantity,
      l.taxed_amount
    from
      document d {{ lines_of(d.id) }}
    where
      d.org_id = :organisation
      and d.role = 'own'
      and {{ counted(d, sold) }}
      and d.regime is distinct from 'consigned'
      and {{ during(d.reviewed_at) }}
      and {{ warehouse_scope(d.warehouse_id) }}
      and {{ author_scope(d.created_by, d.submitted_by) }}
  ),
  settlements as (
    select
      d.counterparty_id as hospital_id,
      {{ columns_of(l, specification_id, base_quantity, taxed_amount) }}
    from
      document d {{ lines_of(d.id) }}
    where
      d.org_id = :organisation
      and {{ feeds(d.kind, settled) }}
      and d.role = 'counterparty'
      and d.state <> 'cancelled'
      and coalesce((d.fields ->> 'settled_on')::date, d.business_date) between :begin_date and :end_date
  ),
  figures as (
    select
      hospital_id,
      specification_id,
      true as is_consigned,
      {{ value_where(quantity, side = 'opening') }} as opening,
      {{ value_where(quantity, side = 'bought') }} as bought,
      {{ value_where(- quantity, side = 'returned') }} as returned,
      {{ value_where(- quantity, side = 'used') }} as used,
      0 as settled,
      {{ value_where(quantity, side = 'found') }} as found,
      {{ value_where(- quantity, side = 'other') }} as gap,
      quantity as closing,
      {{ value_where(amount, side = 'bought') }} as bought_amount,
      0 as used_amount,
      0 as settled_amount
    from
      held
    union all
    by name
    select
      hospital_id,
      specification_id,
      false as is_consigned,
      case
        when is_return then 0
        else base_quantity
      end as bought,
      {{ value_where(base_quantity, is_return) }} as returned,
      0 as used,
      0 as settled,
      case
        when is_return then 0
        else taxed_amount
      end as bought_amount,
      0 as used_amount,
      0 as settled_amount
    from
      sold
    union all
    by name
    select
      u.counterparty_id as hospital_id,
      u.specification_id,
      u.is_consigned,
      {{ only_where(0, u.is_consigned) }} as opening,
      0 as bought,
      0 as returned,
      -- The pieces of consigned goods are those of the memo.
      case
        when u.is_consigned then 0
        else u.base_quantity
      end as used,
      0 as settled,
      {{ only_where(0, u.is_consigned) }} as found,
      {{ only_where(0, u.is_consigned) }} as gap,
      {{ only_where(0, u.is_consigned) }} as closing,
      0 as bought_amount,
      u.amount as used_amount,
      0 as settled_amount
    from
      use_rows u
    where
      u.role = 'counterparty'
    union all
    by name
    select
      hospital_id,
      specification_id,
      true as is_consigned,
      0 as opening,
      0 as bought,
      0 as returned,
      0 as used,
      base_quantity as settled,
      0 as found,
      0 as gap,
      0 as closing,
      0 as bought_amount,
      0 as used_amount,
      taxed_amount as settled_amount
    from
      settlements
  ),
  summed as (
    select
      hospital_id,
      specification_id,
      is_consigned,
      sum(opening) as opening,
      sum(bought) as bought,
      sum(returned) as returned,
      sum(used) as used,
      sum(settled) as settled,
      sum(found) as found,
      sum(gap) as gap,
      sum(closing) as closing,
      sum(bought_amount) as bought_amount,
      sum(used_amount) as used_amount,
      sum(settled_amount) as settled_amount
    from
      figures
    group by all
  ),
  compared as (
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
            consigned_move m
          where
            m.org_id = :organisation
            and m.customer_id = x.hospital_id
            and m.specification_id = x.specification_id
            and m.step = 'use'
            and m.at >= {{ begin_of(:end_date - 89) }}
        ) then 'idle'
      end as difference
    from
      summed x
  )
select
  h.name as hospital_name,
  x.hospital_id::text as counterparty_sn,
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
  x.bought_amount::numeric(18, 2) as bought_amount,
  x.used_amount::numeric(18, 2) as used_amount,
  x.settled_amount::numeric(18, 2) as settled_amount,
  round(x.used / nullif(coalesce(x.opening, 0) + x.bought - x.returned, 0), 4) as consumption_rate,
  x.difference
from
  compared x
  join organisation h on h.id = x.hospital_id
  and h.system_type = 1 {{ goods(x.specification_id) }} {{ class_on(:end_date) }}
where
  {{ any_own(org_relation, r, partner_id = x.hospital_id, status = 'enabled') }}
  and {{ asked(x.hospital_id, :counterparty_sn) }}
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
  )
order by
  h.name,
  p.code,
  s.code
