-- Recorded use as figures to plan by: of each size and department, or hospital, the use of the months, how even it is,
-- what share of the money, and how much to keep. Months without use count from the goods' first arrival on.
with
  {{ part(use-rows) }},
  {{ part(platform/reports/classed, class => :custom_type_sn) }},
  {{ part(platform/reports/finance-class) }},
  uses as materialized (
    select
      x.specification_id,
      {{ only_where(x.department_id, x.role = 'own') }} as department_id,
      {{ only_where(x.counterparty_id, x.role = 'counterparty') }} as hospital_id,
      x.used_on,
      x.base_quantity as quantity,
      x.amount
    from
      use_rows x {{ goods(x.specification_id) }}
    where
      {{ narrowed(x, counterparty_sn, department_inner_sn, supplier_sn) }}
      and {{ asked_goods(x.specification_id) }}
      and {{ of_class(:custom_type_sn, x.specification_id, x.used_on) }}
      and {{ asked(p.is_high_value, :is_high_value) }}
  ),
  -- A lot arrived with its first move.
  arrived as (
    select
      g.specification_id,
      min(f.business_date) as first_on
    from
      (
        select distinct
          specification_id
        from
          uses
      ) u
      join lot g on g.specification_id = u.specification_id
      cross join lateral (
        select
          m.business_date
        from
          stock_move m
        where
          m.org_id = :organisation
          and m.lot_id = g.id
        order by
          m.id
        limit
          1
      ) f
    group by all
  ),
  kept as (
    select
      {{ columns_of(u, specification_id, department_id, hospital_id) }},
      sum(u.quantity) as quantity,
      sum(u.amount) as amount,
      date_trunc('month', greatest(:begin_date, coalesce(max(a.first_on), :begin_date))) as first_month
    from
      uses u
      left join arrived a on a.specification_id = u.specification_id
    group by all
  ),
  monthly as (
    select
      {{ columns_of(k, specification_id, department_id, hospital_id) }},
      g.month,
      coalesce(sum(u.quantity), 0) as quantity
    from
      kept k
      cross join lateral (
        select
          generate_series(k.first_month, :end_date::timestamp, interval '1 month') as month
      ) g
      left join uses u on u.specification_id = k.specification_id
      and u.department_id is not distinct from k.department_id
      and u.hospital_id is not distinct from k.hospital_id
      and date_trunc('month', u.used_on) = g.month
    group by all
  ),
  spread as (
    select
      specification_id,
      department_id,
      hospital_id,
      string_agg(
        to_char(month, 'MM') || '月 ' || trim_scale(quantity)::text,
        '、'
        order by
          month
      ) as by_month,
      string_agg(
        to_char(month, 'YYYY-MM') || '=' || trim_scale(quantity)::text,
        ','
        order by
          month
      ) as months,
      round(avg(quantity), 3) as mean,
      round(stddev_pop(quantity) / nullif(avg(quantity), 0), 4) as variation
    from
      monthly
    group by
      specification_id,
      department_id,
      hospital_id
  ),
  peaks as (
    select
      specification_id,
      department_id,
      hospital_id,
      max(quantity) as peak
    from
      (
        select
          specification_id,
          department_id,
          hospital_id,
          used_on,
          sum(quantity) as quantity
        from
          uses
        group by all
      ) d
    group by all
  ),
  stocked as (
    select
      b.specification_id,
      w.department_id,
      sum(b.quantity) as quantity
    from
      stock_balance b {{ store_of(b.warehouse_id) }}
    where
      b.org_id = :organisation
      and w.department_id is not null
      and w.model <> 'consumed'
      and {{ warehouse_scope(b.warehouse_id) }}
    group by all
  ),
  outside as (
    select
      c.specification_id,
      c.customer_id,
      sum(c.quantity) as quantity
    from
      consigned_out c
    where
      c.org_id = :organisation
    group by all
  ),
  limits as (
    select
      l.specification_id,
      w.department_id,
      sum(l.min_quantity) as low,
      sum(l.max_quantity) as high
    from
      stock_limit l {{ store_of(l.warehouse_id) }}
    where
      l.org_id = :organisation
      and w.department_id is not null
    group by all
  ),
  ranked as (
    select
      k.*,
      k.quantity / (:end_date - :begin_date + 1) as daily,
      sum(k.amount) over (
        order by
          k.amount desc,
          {{ columns_of(k, specification_id, department_id, hospital_id) }}
      ) as running,
      sum(k.amount) over () as whole
    from
      kept k
  ),
  planned as (
    select
      x.*,
      {{ columns_of(s, by_month, months, mean, variation) }},
      case
        when s.variation < 0.5 then 'steady'
        when s.variation <= 1 then 'uneven'
        else 'rare'
      end as evenness,
      p.peak,
      -- A product that crosses a limit belongs to the upper class.
      case
        when x.amount is null then null
        when x.whole = 0
        or (x.running - x.amount) / x.whole < 0.8 then 'A'
        when (x.running - x.amount) / x.whole < 0.95 then 'B'
        else 'C'
      end as abc,
      coalesce(t.quantity, o.quantity, 0) as stock,
      l.low,
      l.high,
      ceil(x.daily * (coalesce(:supply_days, '5')::int + coalesce(:safety_days, '3')::int)) as proposed_low,
      ceil(x.daily * coalesce(:cycle_days, '7')::int) as proposed_step
    from
      ranked x
      join spread s on s.specification_id = x.specification_id
      and s.department_id is not distinct from x.department_id
      and s.hospital_id is not distinct from x.hospital_id
      join peaks p on p.specification_id = x.specification_id
      and p.department_id is not distinct from x.department_id
      and p.hospital_id is not distinct from x.hospital_id
      left join stocked t on t.specification_id = x.specification_id
      and t.department_id = x.department_id
      left join outside o on o.specification_id = x.specification_id
      and o.customer_id = x.hospital_id
      left join limits l on l.specification_id = x.specification_id
      and l.department_id = x.department_id
  )
select
  {{ goods_columns(product_code, product_name, specification_name) }},
  x.specification_id::text as specification_sn,
  concat_ws('-', x.specification_id, x.department_id, x.hospital_id) as row_key,
  s.unit_name,
  fc.name as class_name,
  e.name as department_name,
  x.department_id::text as department_sn,
  h.name as hospital_name,
  x.hospital_id::text as counterparty_sn,
  x.by_month,
  x.months,
  x.quantity::numeric(18, 3) as quantity,
  x.mean::numeric(18, 3) as month_mean,
  round(x.daily, 3)::numeric(18, 3) as day_mean,
  x.peak::numeric(18, 3) as day_peak,
  x.variation,
  x.evenness,
  x.amount::numeric(18, 2) as amount,
  round(x.running / nullif(x.whole, 0), 4) as running_share,
  x.abc,
  x.stock::numeric(18, 3) as stock,
  {{ only_where(floor(x.stock / x.daily)::int, x.daily > 0) }} as days_of_supply,
  {{ only_where(x.proposed_low, x.evenness <> 'rare' and x.daily > 0) }}::numeric(18, 3) as proposed_low,
  case
    when x.evenness <> 'rare'
    and x.daily > 0 then x.proposed_low + x.proposed_step
  end::numeric(18, 3) as proposed_high,
  x.low::numeric(18, 3) as low,
  x.high::numeric(18, 3) as high
from
  planned x {{ product_of(x.specification_id) }} {{ department_if_any(x.department_id) }}
  left join organisation h on h.id = x.hospital_id {{ class_on(:end_date) }}
where
  {{ narrowed(x, abc, evenness) }}
order by
  x.amount desc,
  p.code,
  s.code
