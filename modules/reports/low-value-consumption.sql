-- $1 organisation, $2 first day, $3 last day, $4 department, $5 store, $6 specification, $7 product, $8 manufacturer.
-- Uses out of the stores of cabinets, of goods that are of no high value. A use that was taken back is an opposite move of the same step.
-- The month before is counted whole, so that a month that begins the period has something to be compared with.
with used as (
  select date_trunc('month', m.at at time zone 'Asia/Shanghai')::date as month, m.warehouse_id, coalesce(z.stands_for_id, m.specification_id) as specification_id,
         -sum(m.quantity) filter (where m.at >= $2::date::timestamp at time zone 'Asia/Shanghai' and m.at < ($3::date + 1)::timestamp at time zone 'Asia/Shanghai') as quantity,
         -sum(case when m.owner_id = $1 then m.value else 0 end) filter (where m.at >= $2::date::timestamp at time zone 'Asia/Shanghai' and m.at < ($3::date + 1)::timestamp at time zone 'Asia/Shanghai') as cost,
         -sum(m.quantity) as whole
    from stock_move m
    join warehouse w on w.org_id = $1 and w.id = m.warehouse_id
    left join mapped_size z on z.specification_id = m.specification_id
   where m.org_id = $1 and m.step = 'use' and w.model = 'cabinet'
     and m.at >= (date_trunc('month', $2::date::timestamp) - interval '1 month') at time zone 'Asia/Shanghai' and m.at < ($3::date + 1)::timestamp at time zone 'Asia/Shanghai'
     and {stores:m.warehouse_id} and {departments:w.department_id}
     and ($4::bigint is null or w.department_id = $4) and ($5::bigint is null or m.warehouse_id = $5) and {sizes:m.specification_id=$6}
   group by 1, 2, 3
)
select to_char(x.month, 'YYYY-MM') as month, d.name as department_name, coalesce(c.name, w.name) as cabinet_name, p.code as product_code, p.name as product_name, s.name as specification_name,
       o.name as manufacturer_name, s.unit_name, x.quantity::numeric(18,3) as quantity,
       round(x.quantity / (least($3::date, (x.month + interval '1 month' - interval '1 day')::date) - greatest($2::date, x.month) + 1), 3) as daily_quantity,
       x.cost::numeric(18,2) as cost, coalesce(b.whole, 0)::numeric(18,3) as quantity_before, round((x.quantity - b.whole) / nullif(b.whole, 0), 4) as change,
       x.specification_id::text as specification_sn, x.warehouse_id::text as warehouse_sn, greatest($2::date, x.month)::text as first_day,
       least($3::date, (x.month + interval '1 month' - interval '1 day')::date)::text as last_day
  from used x
  join warehouse w on w.org_id = $1 and w.id = x.warehouse_id
  left join cabinet c on c.org_id = $1 and c.warehouse_id = w.id
  left join department d on d.org_id = $1 and d.id = w.department_id
  join specification s on s.id = x.specification_id
  join product p on p.id = s.product_id
  join organisation o on o.id = p.manufacturer_id
  left join used b on b.warehouse_id = x.warehouse_id and b.specification_id = x.specification_id and b.month = x.month - interval '1 month'
 where x.quantity <> 0 and not p.is_high_value
   and ($7::text is null or p.name like '%' || $7 || '%' or p.code like $7 || '%') and ($8::text is null or o.name like '%' || $8 || '%')
 order by x.month desc, d.name, c.name, x.quantity desc, p.code
