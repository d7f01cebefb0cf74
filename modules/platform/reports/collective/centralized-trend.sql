-- The same month by month, and use by department.
with
  {{ part(collective-goods) }},
  moved as (
    select
      b.specification_id,
      null::bigint as department_id,
      b.business_date,
      b.quantity as bought,
      0 as used,
      0 as other
    from
      bought b
    union all
    select
      u.specification_id,
      u.department_id,
      u.business_date,
      0,
      {{ value_where(u.quantity, u.is_won) }},
      case
        when u.is_won then 0
        else u.quantity
      end
    from
      spent u
  )
select
  to_char(m.business_date, 'YYYY-MM') as month,
  w.collective_batch,
  w.product_code,
  w.product_name,
  w.specification_name,
  w.manufacturer_name,
  e.name as department_name,
  w.unit_name,
  sum(m.bought)::numeric(18, 3) as bought_quantity,
  sum(m.used)::numeric(18, 3) as used_quantity,
  sum(m.other)::numeric(18, 3) as other_quantity,
  round(sum(m.used) / nullif(sum(m.used + m.other), 0), 4) as won_share
from
  moved m
  join won w on w.specification_id = m.specification_id {{ department_if_any(m.department_id) }}
group by
  1,
  2,
  3,
  4,
  5,
  6,
  7,
  8
order by
  1 desc,
  2,
  3,
  5,
  7 nulls first
