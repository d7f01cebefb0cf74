-- $1 organisation, $2 the day at whose end it is counted, $3 store, $4 specification, $5 product, $6 manufacturer, $7 lot, $8 owner, $9 own or consigned, $10 high value, $11 class of goods.
-- From the opening of the month on; the moves of the days since then are added.
with day_end as not materialized (
  select ($2::date + 1)::timestamp at time zone 'Asia/Shanghai' as at, sealed_month(($2::date + 1)::timestamp at time zone 'Asia/Shanghai') as base
), {@classed}, moved as (
  select m.warehouse_id, m.specification_id, m.lot_id, m.owner_id, m.quality_state, m.quantity, m.value
    from day_end, month_opening m
   where m.org_id = $1 and m.month = day_end.base
   union all
  select m.warehouse_id, m.specification_id, m.lot_id, m.owner_id, m.quality_state, m.quantity, m.value
    from day_end, stock_move m
   where m.org_id = $1 and m.at >= month_start(day_end.base) and m.at < day_end.at
), counted as (
  select m.warehouse_id, m.specification_id, m.lot_id, m.owner_id, m.quality_state, sum(m.quantity) as quantity, sum(case when m.owner_id = $1 then m.value else 0 end) as value
    from moved m
   where {stores:m.warehouse_id}
     and ($3::bigint is null or m.warehouse_id = $3) and {sizes:m.specification_id=$4} and ($8::bigint is null or m.owner_id = $8)
     and ($7::text is null or m.lot_id in (select x.id from lot x where x.lot_no = $7)) and ($9::text is null or ($9 = 'own') = (m.owner_id = $1))
   group by 1, 2, 3, 4, 5
  having sum(m.quantity) <> 0
)
select $2::date as day, case when w.model = 'transit' then '在途' else w.name end as warehouse_name, p.code as product_code, p.name as product_name, s.name as specification_name,
       c.certificate_no as registration_no, o.name as manufacturer_name, l.lot_no, k.expiry_date, s.unit_name, x.quantity::numeric(18,3) as quantity,
       case when h.id = $1 then round(x.value / x.quantity, 4) end as cost_price, case when h.id = $1 then x.value::numeric(18,2) end as value,
       h.name as owner_name, case when h.id = $1 then 'own' else 'consigned' end as ownership, x.quality_state, x.specification_id::text as specification_sn,
       ($2::date - 364)::text as flow_from, y.name as class_name
  from counted x
  join warehouse w on w.org_id = $1 and w.id = x.warehouse_id
  join specification s on s.id = x.specification_id
  join product p on p.id = s.product_id
  join organisation o on o.id = p.manufacturer_id
  join organisation h on h.id = x.owner_id
  join lot l on l.id = x.lot_id
  left join stock_lot k on k.org_id = $1 and k.lot_id = x.lot_id
  left join registration_certificate c on c.id = s.registration_certificate_id
  left join typed_product t on {by:class_name} and t.org_id = $1 and t.tree = 'own' and t.specification_id = x.specification_id and $2::date between t.valid_from and coalesce(t.valid_to, 'infinity'::date)
  left join custom_type y on {by:class_name} and y.org_id = $1 and y.id = t.custom_type_id
 where w.model <> 'consumed' and {departments:w.department_id}
   and ($5::text is null or p.name like '%' || $5 || '%' or p.code like $5 || '%') and ($6::text is null or o.name like '%' || $6 || '%')
   and ($10::boolean is null or p.is_high_value = $10) and ($11::bigint is null or exists (select 1 from classed y where y.specification_id = x.specification_id and $2::date between y.valid_from and y.valid_to))
 order by p.code, s.code, k.expiry_date, l.lot_no, w.name
