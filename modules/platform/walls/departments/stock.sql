-- The rows of 科室库存 by lot. A size is low where what may be taken of it in its store, and of the sizes that were mapped
-- to it, is no more than the limit there: a fact of its first lot.
with
  held as (
    select
      b.*,
      k.min_quantity,
      k.max_quantity,
      row_number() over (
        partition by
          b.warehouse_id,
          b.specification_id
        order by
          b.expiry_date,
          b.id
      ) = 1 as is_first,
      sum(b.available) over (
        partition by
          b.warehouse_id,
          coalesce(z.stands_for_id, b.specification_id)
      ) as available_of_size
    from
      department_stock b
      left join mapped_size z on z.specification_id = b.specification_id
      left join {{ own(stock_limit, k, warehouse_id = b.warehouse_id) }}
      and k.stands_for_id = coalesce(z.stands_for_id, b.specification_id)
    where
      b.org_id = :organisation
      and b.display = 'lot'
      and {{ warehouse_scope(b.warehouse_id) }}
      and {{ department_scope(b.department_id) }}
      and {{ asked(b.department_id, :department_inner_sn) }}
  ),
  judged as (
    select
      h.*,
      is_low (h.available_of_size, h.min_quantity) as is_low,
      h.expiry_date < n.today as is_expired,
      h.expiry_date <= n.today + coalesce(c.expiry_warning_days, n.warning_days) as is_near
    from
      held h
      cross join (
        select
          {{ day_of(posting_now()) }} as today,
          warning_days (:organisation, 'expiry_warning_days') as warning_days
      ) n
      left join {{ own(hospital_product, c, specification_id = h.specification_id) }}
  )
select
  p.name as product_name,
  s.name as specification_name,
  x.lot_no,
  x.expiry_date,
  x.quantity::numeric(18, 3) as quantity,
  x.min_quantity::numeric(18, 3) as min_quantity,
  x.max_quantity::numeric(18, 3) as max_quantity,
  case
    when x.is_expired then 'expired'
    when x.is_low then 'low'
    when x.is_near then 'near'
    else 'sound'
  end as status,
  {{ value_where(x.value, x.owner_org_id = x.org_id) }}::numeric(18, 2) as amount,
  x.is_first::int as sizes,
  (
    x.is_first
    and x.is_low
  )::int as low,
  x.is_near::int as near
from
  judged x {{ product_of(x.specification_id) }}
order by
  x.is_expired desc nulls last,
  x.is_low desc nulls last,
  x.expiry_date,
  p.name,
  s.name
