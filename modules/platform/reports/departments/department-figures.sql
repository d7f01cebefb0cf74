-- The goods that each department was granted, gave back, used and held, its quota and its income: a grant or a return,
-- a use, a month's quota and an income are a row each, so that every sum adds up. An income has no class of goods: it
-- is shown beside the use of any class. What the stores of a department held stands on the last day of each month.
with
  {{ part(platform/reports/use/use-rows) }},
  {{ part(platform/reports/classed, class => :custom_type_sn) }},
  {{ part(platform/reports/finance-class) }},
  {{ part(platform/reports/granted-lines) }},
  month_end as materialized (
    select
      d.day,
      e.at,
      sealed_month (e.at) as base
    from
      (
        select
          least((m.day + interval '1 month')::date - 1, u.until) as day
        from
          (
            select
              least(:end_date, (now() at time zone 'Asia/Shanghai')::date) as until
          ) u,
          generate_series(date_trunc('month', :begin_date::timestamp), u.until::timestamp, interval '1 month') m (day)
      ) d
      cross join lateral (
        select
          {{ begin_of(d.day + 1) }} as at
      ) e
    where
      not :is_comparison
  ),
  held_value as (
    select
      e.day,
      {{ columns_of(o, warehouse_id, specification_id, quantity, value) }}
    from
      month_end e
      join {{ own(month_opening, o, month = e.base) }}
    where
      o.owner_id = :organisation
    union all
    select
      e.day,
      {{ columns_of(n, warehouse_id, specification_id, quantity, value) }}
    from
      month_end e
      join stock_move n on n.org_id = :organisation
      and n.at >= month_start (e.base)
      and n.at < e.at
    where
      n.owner_id = :organisation
  ),
  below as (
    with recursive
      child as (
        select
          d.id
        from
          department d
        where
          d.org_id = :organisation
          and d.parent_id = :department_inner_sn
        union
        select
          d.id
        from
          child c
          join {{ own(department, d, parent_id = c.id) }}
      )
    select
      c.id
    from
      child c
  ),
  figures as (
    select
      x.used_on as day,
      x.sn as document_sn,
      x.kind as document_kind,
      'use' as side,
      {{ columns_of(x, department_id, specification_id, is_consigned) }},
      x.base_quantity as quantity,
      0 as granted,
      0 as returned,
      x.amount as used,
      x.is_chargeable,
      0 as budget,
      null::bigint as budget_class_id,
      0 as income,
      0 as held
    from
      use_rows x
    where
      x.role = 'own'
    union all
    by name
    select
      g.day,
      g.sn as document_sn,
      g.kind as document_kind,
      'grant' as side,
      {{ columns_of(g, department_id, specification_id, is_consigned) }},
      g.sign * g.base_quantity as quantity,
      {{ value_where(g.taxed_amount, g.sign = 1) }} as granted,
      {{ value_where(g.taxed_amount, g.sign = -1) }} as returned,
      0 as used,
      0 as budget,
      0 as income,
      0 as held
    from
      granted_lines g
    union all
    by name
    select
      m.day::date as day,
      'budget' as side,
      q.department_id,
      0 as quantity,
      0 as granted,
      0 as returned,
      0 as used,
      q.amount as budget,
      q.custom_type_id as budget_class_id,
      0 as income,
      0 as held
    from
      department_quota q
      cross join lateral (
        select
          generate_series(date_trunc('month', :begin_date::timestamp), :end_date::timestamp, interval '1 month') as day
      ) m
    where
      q.org_id = :organisation
      and q.status = 'enabled'
      and m.day::date >= date_trunc('month', q.valid_from)::date
      and m.day::date <= coalesce(q.valid_to, 'infinity'::date)
      and m.day::date >= :begin_date
    union all
    by name
    -- A month's income is that of its first day, as its quota.
    select
      h.period_on as day,
      'income' as side,
      h.department_id,
      0 as quantity,
      0 as granted,
      0 as returned,
      0 as used,
      0 as budget,
      h.income,
      0 as held
    from
      his_income h
    where
      h.org_id = :organisation
      and h.period_on between :begin_date and :end_date
    union all
    by name
    select
      m.day,
      'stock' as side,
      w.department_id,
      m.specification_id,
      false as is_consigned,
      sum(m.quantity) as quantity,
      0 as granted,
      0 as returned,
      0 as used,
      0 as budget,
      0 as income,
      sum(m.value) as held
    from
      held_value m {{ store_of(m.warehouse_id) }}
    where
      w.model not in ('transit', 'consumed')
      and {{ store_scope(m.warehouse_id) }}
    group by all
    having
      sum(m.quantity) <> 0
      or sum(m.value) <> 0
  )
select
  {{ columns_of(x, day, document_sn, document_kind, side) }},
  e.name as department_name,
  x.department_id::text as department_sn,
  u.name as parent_name,
  {{ goods_columns(product_code, product_name, specification_name, unit_name) }},
  coalesce(fc.name, b.name) as class_name,
  case
    when x.is_consigned then 'consigned'
    when not x.is_consigned then 'purchased'
  end as regime,
  case
    when p.is_reagent then 'reagent'
    when p.is_high_value then 'high'
    when p.id is not null then 'low'
  end as value_class,
  x.quantity::numeric(18, 3) as quantity,
  x.granted::numeric(18, 2) as granted_amount,
  x.returned::numeric(18, 2) as returned_amount,
  (x.granted - x.returned)::numeric(18, 2) as net_granted_amount,
  x.used::numeric(18, 2) as used_amount,
  {{ value_where(x.used, p.is_high_value and not p.is_reagent) }}::numeric(18, 2) as high_amount,
  {{ value_where(x.used, not p.is_high_value and not p.is_reagent) }}::numeric(18, 2) as low_amount,
  {{ value_where(x.used, p.is_reagent) }}::numeric(18, 2) as reagent_amount,
  {{ value_where(x.used, x.is_chargeable) }}::numeric(18, 2) as chargeable_amount,
  {{ value_where(x.used, x.is_chargeable is not true) }}::numeric(18, 2) as unchargeable_amount,
  x.budget::numeric(18, 2) as budget,
  x.income::numeric(18, 2) as income,
  x.held::numeric(18, 2) as stock_value
from
  figures x {{ product_if_any(x.specification_id) }} {{ department_if_any(x.department_id) }}
  left join {{ own(department, u, id = e.parent_id) }}
  left join custom_type b on b.org_id = :organisation
  and b.id = x.budget_class_id {{ class_on(x.day) }}
where
  {{ ward_scope(x.department_id) }}
  and (
    :department_inner_sn is null
    or x.department_id = :department_inner_sn
    or :with_children is true
    and x.department_id in (
      select
        b.id
      from
        below b
    )
  )
  and {{ asked(x.side, :side) }}
  and (
    :custom_type_sn is null
    or x.side = 'income'
    or x.budget_class_id = :custom_type_sn
    or exists (
      select
        1
      from
        classed y
      where
        y.specification_id = x.specification_id
        and x.day between y.valid_from and y.valid_to
    )
  )
  and {{ if_asked(:is_high_value, x.side = 'income' or p.is_high_value = :is_high_value) }}
  and (
    :regime is null
    or x.side = 'income'
    or (:regime = 'consigned') = x.is_consigned
  )
order by
  x.day desc,
  x.document_sn desc nulls last
