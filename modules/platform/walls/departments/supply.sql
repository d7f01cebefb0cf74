-- Use is what left the stores of the department as used, at the worth of the ledger: own goods as the stock is.
with
  stock as (
    select
      b.department_id,
      sum(b.quantity) as quantity,
      sum({{ value_where(b.value, b.owner_org_id = b.org_id) }}) as amount
    from
      stock_on_hand b
    where
      b.org_id = :organisation
      and b.department_id is not null
      and {{ warehouse_scope(b.warehouse_id) }}
      and {{ department_scope(b.department_id) }}
    group by all
  ),
  used as (
    select
      w.department_id,
      - sum(m.value) as amount
    from
      stock_move m
      join {{ own(warehouse, w, id = m.warehouse_id) }}
      and w.model <> 'consumed'
    where
      m.org_id = :organisation
      and m.step = 'use'
      and m.at >= posting_now () - interval '30 days'
    group by all
  )
select
  e.name as department_name,
  e.id::text as department_sn,
  s.quantity::numeric(18, 3) as quantity,
  s.amount::numeric(18, 2) as amount,
  case
    when coalesce(u.amount, 0) <= 0 then '∞'
    else round(s.amount / (u.amount / 30), 1)::text
  end as days
from
  stock s
  join {{ own(department, e, id = s.department_id) }}
  left join used u on u.department_id = s.department_id
order by
  s.amount desc,
  e.name
