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
      {{ columns_of(u, specification_id, department_id, business_date) }},
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
  {{ columns_of(w, collective_batch, product_code, product_name, specification_name, manufacturer_name) }},
  e.name as department_name,
  w.unit_name,
  sum(m.bought)::numeric(18, 3) as bought_quantity,
  sum(m.used)::numeric(18, 3) as used_quantity,
  sum(m.other)::numeric(18, 3) as other_quantity,
  round(sum(m.used) / nullif(sum(m.used + m.other), 0), 4) as won_share
from
  moved m
  join won w on w.specification_id = m.specification_id {{ department_if_any(m.department_id) }}
group by all
order by
  1 desc,
  2,
  3,
  5,
  7 nulls first
