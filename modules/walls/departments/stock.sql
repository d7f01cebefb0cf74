-- A size is low where what may be taken of it in its store is less than the limit there: a fact of its first lot.
with
  held as (
    select
      b.*,
      row_number() over (
        partition by
          b.warehouse_id,
          b.specification_id
        order by
          b.expiry_date,
          b.lot_id
      ) as place,
      sum(b.available) over (
        partition by
          b.warehouse_id,
          b.specification_id
      ) as available_of_size
    from
      stock_on_hand b
    where
      b.org_id = :organisation
      and b.department_id is not null
      and {{ warehouse_scope(b.warehouse_id) }}
      and {{ department_scope(b.department_id) }}
      and {{ asked(b.department_id, :department_inner_sn) }}
  ),
  judged as (
    select
      h.*,
      p.min_quantity,
      p.max_quantity,
      h.available_of_size < p.min_quantity as is_low,
      h.expiry_date < n.today as is_expired,
      h.expiry_date <= n.today + (
        select
          warning_days (:organisation, 'expiry_warning_days')
      ) as is_near
    from
      held h
      cross join (
        select
          (posting_now () at time zone 'Asia/Shanghai')::date as today
      ) n
      left join stock_limit p on p.org_id = :organisation
      and p.warehouse_id = h.warehouse_id
      and p.stands_for_id = h.specification_id
      and p.max_quantity > 0
  )
select
  p.name as product_name,
  s.name as specification_name,
  x.specification_id::text as specification_sn,
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
  case
    when x.owner_org_id = x.org_id then x.value
    else 0
  end::numeric(18, 2) as amount,
  (
    x.is_low
    and x.place = 1
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
