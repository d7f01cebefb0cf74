-- Uses out of the warehouses of cabinets, of goods that are of no high value.
-- A month is compared with the same days of the one before it: as many as the period has of it and have come, and all
-- where it has the last one.
with
  use_days as not materialized (
    select
      (date_trunc('month', :begin_date::timestamp) - interval '1 month')::date as since,
      :end_date as until
  ),
  {{ part(platform/reports/use/uses-of-days) }},
  drawn as (
    select
      date_trunc('month', u.used_on)::date as month,
      u.warehouse_id,
      coalesce(z.stands_for_id, u.specification_id) as specification_id,
      {{ filtered(sum(u.base_quantity), u.used_on >= :begin_date) }} as quantity,
      {{ filtered(sum(u.amount), u.used_on >= :begin_date) }} as cost,
      sum(u.base_quantity) filter (
        where
          u.used_on >= (greatest(:begin_date, n.first) - interval '1 month')::date
          and (
            n.last = (n.first + interval '1 month')::date - 1
            or u.used_on <= (n.last - interval '1 month')::date
          )
      ) as same_days
    from
      use_rows u {{ store_of(u.warehouse_id) }}
      left join mapped_size z on z.specification_id = u.specification_id
      -- The following month, which is compared with this one, and its last day that is in the period and not in the
      -- future.
      cross join lateral (
        select
          x.first,
          least(:end_date, {{ day_of(posting_now()) }}, (x.first + interval '1 month')::date - 1) as last
        from
          (
            select
              (date_trunc('month', u.used_on::timestamp) + interval '1 month')::date as first
          ) x
      ) n
    where
      w.model = 'cabinet'
      and {{ asked(w.department_id, :department_inner_sn) }}
      and {{ narrowed(u, warehouse_model_inner_sn, specification_sn) }}
    group by all
  )
select
  to_char(x.month, 'YYYY-MM') as month,
  d.name as department_name,
  coalesce(c.name, w.name) as cabinet_name,
  {{ goods_columns(product_code, product_name, specification_name, manufacturer_name, unit_name) }},
  x.quantity::numeric(18, 3) as quantity,
  round(
    x.quantity / (
      least(:end_date, (x.month + interval '1 month' - interval '1 day')::date) - greatest(:begin_date, x.month) + 1
    ),
    3
  ) as daily_quantity,
  x.cost::numeric(18, 2) as cost,
  coalesce(b.same_days, 0)::numeric(18, 3) as quantity_before,
  round((x.quantity - b.same_days) / nullif(abs(b.same_days), 0), 4) as change,
  x.specification_id::text as specification_sn,
  x.warehouse_id::text as warehouse_sn,
  greatest(:begin_date, x.month)::text as first_day,
  least(:end_date, (x.month + interval '1 month' - interval '1 day')::date)::text as last_day
from
  drawn x {{ store_of(x.warehouse_id) }}
  left join {{ own(cabinet, c, warehouse_id = w.id) }}
  left join department d on d.org_id = :organisation
  and d.id = w.department_id {{ goods(x.specification_id) }}
  left join drawn b on b.warehouse_id = x.warehouse_id
  and b.specification_id = x.specification_id
  and b.month = x.month - interval '1 month'
where
  x.quantity <> 0
  and not p.is_high_value
  and {{ named_product(p.name, p.code) }}
  and {{ made_by(o.name, p.brand) }}
order by
  x.month desc,
  d.name,
  c.name,
  x.quantity desc,
  p.code
