-- $1 organisation, $2 month as year and month, $3 store, $4 specification, $5 product, $6 manufacturer, $7 own or consigned,
-- $8 what it is booked under, $9 supplier.
-- By the moment of posting. Consigned goods count as pieces and not as value; what changes only the worth of goods is the adjustment.
-- A month that is over has its figures; they know no lots, so who delivered them is asked of the moves.
-- Goods of others are supplied by their owner, own goods by whoever delivered their lot to us until then: several of one lot are named together, since nothing tells their pieces apart.
-- A row is the goods of a store; told apart by owner kind and supplier where the call groups by them.
with month as not materialized (
  select x.day, x.first, x.next, sealed_month(x.first) as base, $9::bigint is null and not {by:supplier_name} and has_month_figures(x.day) as stands
    from (select ($2 || '-01')::date as day, ($2 || '-01')::date::timestamp at time zone 'Asia/Shanghai' as first, (($2 || '-01')::date + interval '1 month') at time zone 'Asia/Shanghai' as next) x
), {@classed}, {@finance-class}, rows as (
  select m.warehouse_id, m.specification_id, m.lot_id, true as is_before, m.owner_id, m.quantity, m.value, false as is_out
    from month, month_opening m
   where not month.stands and m.org_id = $1 and m.month = month.base
   union all
  select m.warehouse_id, m.specification_id, m.lot_id, m.at < month.first, m.owner_id, m.quantity, m.value, (m.quantity < 0) <> (m.undo_of is not null)
    from month, stock_move m
   where not month.stands and m.org_id = $1 and m.at >= month_start(month.base) and m.at < month.next
), delivered as (
  select m.specification_id, m.lot_id, d.counterparty_id, o.name, bool_or(m.owner_id = $1) as is_own
    from month, document d
    join stock_move m on m.org_id = $1 and m.document_id = d.id
    join organisation o on o.id = d.counterparty_id
   where d.org_id = $1 and d.kind = 'purchaseGrn' and d.role = 'own' and m.at < month.next
     and ($9::bigint is not null or {by:supplier_name}) and m.lot_id in (select lot_id from rows)
   group by 1, 2, 3, 4 having sum(m.quantity) > 0
), suppliers as (
  select specification_id, lot_id, coalesce(array_agg(counterparty_id) filter (where is_own), array_agg(counterparty_id)) as ids,
         coalesce(string_agg(name, '、' order by name) filter (where is_own), string_agg(name, '、' order by name)) as names
    from delivered group by 1, 2
), moved as (
  select r.warehouse_id, r.specification_id, r.is_before, r.owner_id = $1 as is_own, r.quantity, case when r.owner_id = $1 then r.value else 0 end as value, r.is_out,
         case when {by:supplier_name} then case when r.owner_id = $1 then u.names else (select o.name from organisation o where o.id = r.owner_id) end end as supplier_name
    from rows r
    left join suppliers u on u.specification_id = r.specification_id and u.lot_id = r.lot_id
   where $9::bigint is null or case when r.owner_id = $1 then $9 = any(u.ids) else r.owner_id = $9 end
), figures as (
  select f.warehouse_id, f.specification_id, f.is_own, f.opening_quantity, f.opening_value, f.in_quantity, f.in_value, f.out_quantity, f.out_value, f.adjustment, null::text as supplier_name
    from month, month_figure f
   where month.stands and f.org_id = $1 and f.month = month.day
   union all
  select warehouse_id, specification_id, is_own,
         coalesce(sum(quantity) filter (where is_before), 0), coalesce(sum(value) filter (where is_before), 0),
         coalesce(sum(quantity) filter (where not is_before and not is_out), 0), coalesce(sum(value) filter (where not is_before and not is_out and quantity <> 0), 0),
         coalesce(-sum(quantity) filter (where not is_before and is_out), 0), coalesce(-sum(value) filter (where not is_before and is_out and quantity <> 0), 0),
         coalesce(sum(value) filter (where not is_before and quantity = 0), 0), supplier_name
    from moved group by warehouse_id, specification_id, is_own, supplier_name
), summed as (
  select f.warehouse_id, coalesce(z.stands_for_id, f.specification_id) as specification_id, case when {by:ownership} then f.is_own end as is_own, f.supplier_name, sum(f.opening_quantity) as opening_quantity, sum(f.opening_value) as opening_value, sum(f.in_quantity) as in_quantity, sum(f.in_value) as in_value,
         sum(f.out_quantity) as out_quantity, sum(f.out_value) as out_value, sum(f.adjustment) as adjustment,
         sum(f.opening_quantity + f.in_quantity - f.out_quantity) as closing_quantity, sum(f.opening_value + f.in_value - f.out_value + f.adjustment) as closing_value,
         coalesce(sum(f.opening_quantity + f.in_quantity - f.out_quantity) filter (where not f.is_own), 0) as consigned_quantity
    from figures f
    left join mapped_size z on z.specification_id = f.specification_id
    join warehouse w on w.org_id = $1 and w.id = f.warehouse_id
   where w.model <> 'consumed'
     and ($3::bigint is null or f.warehouse_id = $3) and {stores:f.warehouse_id} and {departments:w.department_id}
     and ($8::bigint is null or exists (select 1 from classed y where y.specification_id = f.specification_id and (($2 || '-01')::date + interval '1 month' - interval '1 day')::date between y.valid_from and y.valid_to))
     and {sizes:f.specification_id=$4} and ($7::text is null or ($7 = 'own') = f.is_own)
   group by 1, 2, 3, 4
)
select $2 as period, case when w.model = 'transit' then '在途' else w.name end as warehouse_name, fc.name as finance_class, case x.is_own when true then 'own' when false then 'consigned' end as ownership, x.supplier_name, p.code as product_code, p.name as product_name, s.name as specification_name, o.name as manufacturer_name, s.unit_name,
       x.opening_quantity::numeric(18,3) as opening_quantity, x.opening_value::numeric(18,2) as opening_value, x.in_quantity::numeric(18,3) as in_quantity, x.in_value::numeric(18,2) as in_value,
       x.out_quantity::numeric(18,3) as out_quantity, x.out_value::numeric(18,2) as out_value, x.adjustment::numeric(18,2) as adjustment,
       x.closing_quantity::numeric(18,3) as closing_quantity, x.closing_value::numeric(18,2) as closing_value, x.consigned_quantity::numeric(18,3) as consigned_quantity,
       round(x.closing_value / nullif(x.closing_quantity - x.consigned_quantity, 0), 4) as average_cost, x.specification_id::text as specification_sn, x.warehouse_id::text as warehouse_sn,
       $2 || '-01' as first_day, (($2 || '-01')::date + interval '1 month' - interval '1 day')::date::text as last_day
  from summed x
  join warehouse w on w.org_id = $1 and w.id = x.warehouse_id
  join specification s on s.id = x.specification_id
  join product p on p.id = s.product_id
  join organisation o on o.id = p.manufacturer_id
  left join finance_class fc on fc.specification_id = x.specification_id and (($2 || '-01')::date + interval '1 month' - interval '1 day')::date between fc.valid_from and fc.valid_to
 where ($5::text is null or p.name like '%' || $5 || '%' or p.code like $5 || '%') and ($6::text is null or o.name like '%' || $6 || '%')
   and (x.opening_quantity <> 0 or x.in_quantity <> 0 or x.out_quantity <> 0 or x.closing_quantity <> 0 or x.closing_value <> 0 or x.adjustment <> 0)
 order by w.name, p.code, s.code, x.is_own desc, x.supplier_name
