-- $1 organisation, $2 first day, $3 last day, $4 supplier, $5 store, $6 kind of paper, $7 number of the paper, $8 specification, $9 product, $10 manufacturer,
-- $11 how far it is invoiced, $12 number of an invoice, $13 with what came at no price, $14 bought or used of what others own, $15 what it is booked under.
with {@received-lines}, {@classed}, {@finance-class}, chosen as (
  select x.*, fc.name as finance_class, s.name as specification_name, s.unit_name, p.code as product_code, p.name as product_name, o.name as manufacturer_name
    from priced x
    join specification s on s.id = x.specification_id
    join product p on p.id = s.product_id
    join organisation o on o.id = p.manufacturer_id
    left join finance_class fc on fc.specification_id = x.specification_id and (x.at at time zone 'Asia/Shanghai')::date between fc.valid_from and fc.valid_to
   where ($4::bigint is null or x.counterparty_id = $4) and ($5::bigint is null or x.warehouse_id = $5) and ($6::text is null or x.kind = $6) and ($7::text is null or x.sn = $7)
     and {sizes:x.specification_id=$8} and ($9::text is null or p.name like '%' || $9 || '%' or p.code like $9 || '%')
     and ($10::text is null or o.name like '%' || $10 || '%') and ($11::text is null or x.invoice_state = $11)
     and ($12::text is null or x.invoice_no like '%' || $12 || '%') and ($13::boolean is true or x.owes)
     and ($14::text is null or ($14 = 'consigned') = (x.kind = 'settlementGrn')) and ($15::bigint is null or exists (select 1 from classed y where y.specification_id = x.specification_id and (x.at at time zone 'Asia/Shanghai')::date between y.valid_from and y.valid_to))
)
{shown}
