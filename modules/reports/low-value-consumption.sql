-- Uses out of the warehouses of cabinets, of goods that are of no high value. The month before is counted whole, so
-- that a month that begins the period has something to be compared with.
with
  use_days as not materialized (
    select
      (date_trunc('month', :begin_date::timestamp) - interval '1 month')::date as since,
      :end_date as until
  ),
  {{ part(reports/use/uses-of-days) }},
  drawn as (
    select
      date_trunc('month', u.used_on)::date as month,
      u.warehouse_id,
      coalesce(z.stands_for_id, u.specification_id) as specification_id,
      sum(u.base_quantity) filter (
        where
          u.used_on >= :begin_date
      ) as quantity,
      sum(u.amount) filter (
        where
          u.used_on >= :begin_date
      ) as cost,
      sum(u.base_quantity) as whole
    from
      use_rows u
      join warehouse w on w.org_id = :organisation
      and w.id = u.warehouse_id
      left join mapped_size z on z.specification_id = u.specification_id
    where
      w.model = 'cabinet'
      and {{ asked(w.department_id, :department_inner_sn) }}
      and {{ asked(u.warehouse_id, :warehouse_model_inner_sn) }}
      and {{ same_specification(u.specification_id, :specification_sn) }}
    group by
      1,
      2,
      3
  )
select
  to_char(x.month, 'YYYY-MM') as month,
  d.name as department_name,
  coalesce(c.name, w.name) as cabinet_name,
  p.code as product_code,
  p.name as product_name,
  s.name as specification_name,
  o.name as manufacturer_name,
  s.unit_name,
  x.quantity::numeric(18, 3) as quantity,
  round(
    x.quantity / (
      least(:end_date, (x.month + interval '1 month' - interval '1 day')::date) - greatest(:begin_date, x.month) + 1
    ),
    3
  ) as daily_quantity,
  x.cost::numeric(18, 2) as cost,
  coalesce(b.whole, 0)::numeric(18, 3) as quantity_before,
  round((x.quantity - b.whole) / nullif(b.whole, 0), 4) as change,
  x.specification_id::text as specification_sn,
  x.warehouse_id::text as warehouse_sn,
  greatest(:begin_date, x.month)::text as first_day,
  least(:end_date, (x.month + interval '1 month' - interval '1 day')::date)::text as last_day
from
  drawn x
  join warehouse w on w.org_id = :organisation
  and w.id = x.warehouse_id
  left join cabinet c on c.org_id = :organisation
  and c.warehouse_id = w.id
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
