-- $1 organisation, $2 first day, $3 last day, $4 kind of paper, $5 customer, $6 store, $7 specification, $8 product, $9 manufacturer, $10 how far it is invoiced, $11 number of the paper, $12 department, $13 charged or not, $14 what it is booked under.
-- Sales at their price; what left in other ways at cost alone. A hospital's goods are spent when they are used; where a store says that its
-- goods are spent when they are granted to it, the grant counts and the use does not, so that nothing counts twice.
with {@sold-lines}, {@classed}, {@finance-class}, otherwise as (
  select d.id, d.kind, d.sn, d.reviewed_at as at, d.counterparty_id, coalesce(d.department_id, t.department_id, w.department_id) as department_id, m.warehouse_id, m.line_no, m.specification_id, m.lot_id, -sum(m.quantity) as quantity, -sum(m.value) as cost
    from document d
    join stock_move m on m.org_id = $1 and m.document_id = d.id
    join warehouse w on w.org_id = $1 and w.id = m.warehouse_id
    left join warehouse t on t.org_id = $1 and t.id = case d.kind when 'grantOdo' then d.to_warehouse_id when 'grantReturn' then d.warehouse_id end
   where d.org_id = $1 and d.role = 'own'
     and (d.kind in ('giveOdo', 'otherOdo', 'loss', 'scrap') or (d.kind in ('transfer', 'transferReturn') and d.counterparty_id is not null) or (d.kind in ('departmentUse', 'surgeryUse') and w.accounting = 'use')
       or (t.accounting = 'issue' and m.warehouse_id = case d.kind when 'grantOdo' then d.warehouse_id else d.to_warehouse_id end))
     and d.state in ('reviewed', 'partial', 'completed', 'reversed') and m.owner_id = $1
     and d.reviewed_at >= ($2::date)::timestamp at time zone 'Asia/Shanghai' and d.reviewed_at < ($3::date + 1)::timestamp at time zone 'Asia/Shanghai'
     and w.model not in ('transit', 'consumed') and {stores:m.warehouse_id} and {departments:w.department_id} and {people:d.created_by,d.submitted_by}
   group by d.id, d.kind, d.sn, d.reviewed_at, d.counterparty_id, d.department_id, t.department_id, w.department_id, m.warehouse_id, m.line_no, m.specification_id, m.lot_id
), gone as (
  select id, kind, sn, at, counterparty_id, null::bigint as department_id, warehouse_id, line_no, specification_id, lot_no, quantity, untaxed_amount, tax_rate, tax_amount, taxed_amount, cost, billed, invoice_no
    from sold
  union all
  select x.id, x.kind, x.sn, x.at, x.counterparty_id, x.department_id, x.warehouse_id, x.line_no, x.specification_id, l.lot_no, x.quantity, 0, null, 0, 0, x.cost, 0, null
    from otherwise x join lot l on l.id = x.lot_id
), told as (
select x.kind as document_kind, x.sn as document_sn, x.at, to_char(x.at at time zone 'Asia/Shanghai', 'YYYY-MM') as month, coalesce(c.name, e.name) as receiver_name, w.name as warehouse_name, fc.name as finance_class, p.code as product_code, p.name as product_name, s.name as specification_name,
       o.name as manufacturer_name, x.lot_no, s.unit_name, x.quantity::numeric(18,3) as quantity, x.untaxed_amount::numeric(18,2) as untaxed_amount, x.tax_rate, x.tax_amount::numeric(18,2) as tax_amount,
       x.taxed_amount::numeric(18,2) as taxed_amount, x.cost::numeric(18,2) as cost,
       case when x.tax_rate is not null then (x.untaxed_amount - x.cost)::numeric(18,2) end as profit, round((x.untaxed_amount - x.cost) / nullif(x.untaxed_amount, 0), 4) as margin,
       x.billed::numeric(18,2) as billed, (x.taxed_amount - x.billed)::numeric(18,2) as unbilled, x.invoice_no, x.line_no,
       case when x.tax_rate is null then null when x.billed = 0 then 'none' when x.billed = x.taxed_amount then 'whole' else 'part' end as invoice_state
  from gone x
  join specification s on s.id = x.specification_id
  join product p on p.id = s.product_id
  join organisation o on o.id = p.manufacturer_id
  left join organisation c on c.id = x.counterparty_id
  left join department e on e.org_id = $1 and e.id = x.department_id
  left join warehouse w on w.org_id = $1 and w.id = x.warehouse_id
  left join hospital_product h on h.org_id = $1 and h.specification_id = x.specification_id
  left join finance_class fc on fc.specification_id = x.specification_id and (x.at at time zone 'Asia/Shanghai')::date between fc.valid_from and fc.valid_to
 where ($4::text is null or x.kind = $4) and ($5::bigint is null or x.counterparty_id = $5) and ($6::bigint is null or x.warehouse_id = $6)
   and {sizes:x.specification_id=$7} and ($8::text is null or p.name like '%' || $8 || '%' or p.code like $8 || '%')
   and ($9::text is null or o.name like '%' || $9 || '%') and ($11::text is null or x.sn = $11) and ($12::bigint is null or x.department_id = $12)
   and ($10::text is null or (x.tax_rate is not null and $10 = case when x.billed = 0 then 'none' when x.billed = x.taxed_amount then 'whole' else 'part' end))
 and ($13::boolean is null or $13 = coalesce(h.is_chargeable, x.tax_rate is not null)) and ($14::bigint is null or exists (select 1 from classed y where y.specification_id = x.specification_id and (x.at at time zone 'Asia/Shanghai')::date between y.valid_from and y.valid_to))
)
{shown}
