-- Uses out of the warehouses of cabinets, of goods that are of no high value. A use that was taken back is an
-- opposite move of the same step.
-- The month before is counted whole, so that a month that begins the period has something to be compared
-- with.
with
  used as (
    select
      date_trunc('month', m.at at time zone 'Asia/Shanghai')::date as month,
      m.warehouse_id,
      coalesce(z.stands_for_id, m.specification_id) as specification_id,
      - sum(m.quantity) filter (
        where
          {{ during(m.at) }}
      ) as quantity,
      - sum(
        case
          when m.owner_id = :organisation then m.value
          else 0
        end
      ) filter (
        where
          {{ during(m.at) }}
      ) as cost,
      - sum(m.quantity) as whole
    from
      stock_move m
      join warehouse w on w.org_id = :organisation
      and w.id = m.warehouse_id
      left join mapped_size z on z.specification_id = m.specification_id
    where
      m.org_id = :organisation
      and m.step = 'use'
      and w.model = 'cabinet'
      and m.at >= (date_trunc('month', :begin_date::timestamp) - interval '1 month') at time zone 'Asia/Shanghai'
      and m.at < (:end_date + 1)::timestamp at time zone 'Asia/Shanghai'
      and {{ warehouse_scope(m.warehouse_id) }}
      and {{ department_scope(w.department_id) }}
      and {{ asked(w.department_id, :department_inner_sn) }}
      and {{ asked(m.warehouse_id, :warehouse_model_inner_sn) }}
      and {{ same_specification(m.specification_id, :specification_sn) }}
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
  used x
  join warehouse w on w.org_id = :organisation
  and w.id = x.warehouse_id
  left join cabinet c on c.org_id = :organisation
  and c.warehouse_id = w.id
  left join department d on d.org_id = :organisation
  and d.id = w.department_id {{ goods(x.specification_id) }}
  left join used b on b.warehouse_id = x.warehouse_id
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
