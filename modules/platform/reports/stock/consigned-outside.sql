-- Our goods at customers at the end of a day: delivered and sent for operations, less used and returned.
with
  lying as (
    select
      {{ columns_of(m, customer_id, specification_id, lot_id) }},
      sum(m.quantity) as quantity,
      sum(m.value) as value
    from
      consigned_move m
    where
      m.org_id = :organisation
      and m.at < {{ begin_of(:end_date + 1) }}
    group by all
    having
      sum(m.quantity) <> 0
  )
select
  c.name as keeper_name,
  x.customer_id::text as keeper_sn,
  {{ goods_columns(product_code, product_name, specification_name, unit_name, manufacturer_name) }},
  l.lot_no,
  k.expiry_date,
  k.expiry_date - :end_date as days_left,
  x.quantity::numeric(18, 3) as quantity,
  round(x.value / x.quantity, 4) as cost_price,
  x.value::numeric(18, 2) as value
from
  lying x
  join organisation c on c.id = x.customer_id {{ goods(x.specification_id) }}
  join lot l on l.id = x.lot_id
  left join {{ own(stock_lot, k, lot_id = x.lot_id) }}
where
  {{ asked(x.customer_id, :keeper_sn) }}
  and {{ asked_goods(x.specification_id) }}
  and {{ of_lot(l.lot_no, :lot_no) }}
order by
  c.name,
  p.code,
  s.code,
  k.expiry_date
