-- $1 organisation, $2 partner, $3 invoice number, $4 first and $5 last day of issue, $6 type, $7 paper behind, $8 specification, $9 lot, $10 how far it is paid, $11 first and $12 last day of the paper behind; {handled}: whose invoice it is.
-- An invoice with what it covers: its products stand by the paper behind them, the newest first. The 尾差 stands on the line that carries it.
select v.sn, v.fields->>'invoice_no' as invoice_no, v.fields->>'invoice_type' as invoice_type, (v.fields->>'invoice_date')::date as invoice_date, o.name as counterparty_name,
       l.source_sn, p.name as product_name, s.name as specification_name, l.lot_no, coalesce(u.name, s.unit_name) as unit_name,
       l.quantity, l.price, l.tax_rate, l.untaxed_amount, l.tax_amount, l.taxed_amount,
       coalesce((select sum(e.amount) from account_entry e
                  where e.org_id = $1 and e.document_id = v.id and e.line_no = l.line_no and e.account = 'rounding'), 0)::numeric(18,2) as rounding, y.pay_state, e.name as handler_name,
       case when {by:month} then left(v.fields->>'invoice_date', 7) end as month
  from document v
  join document_line l on l.org_id = v.org_id and l.document_id = v.id
  join specification s on s.id = l.specification_id
  join product p on p.id = s.product_id
  left join pack_unit u on u.id = l.unit_id
  left join organisation o on o.id = v.counterparty_id
  left join employee e on e.org_id = $1 and e.id = v.handler_id
 cross join lateral (select {@pay-state} as pay_state) y
 where v.org_id = $1 and l.org_id = $1 and v.kind = {invoice} and v.role = 'own' and v.state in ('reviewed', 'partial', 'completed')
   and {departments:v.department_id}
   and ($2::bigint is null or v.counterparty_id = $2) and ($3::text is null or v.fields->>'invoice_no' like '%' || $3 || '%')
   and ($4::date is null or v.fields->>'invoice_date' >= to_char($4::date, 'YYYY-MM-DD')) and ($5::date is null or v.fields->>'invoice_date' <= to_char($5::date, 'YYYY-MM-DD'))
   and ($6::text is null or v.fields->>'invoice_type' = $6) and ($7::text is null or l.source_sn = $7)
   and ($8::bigint is null or l.specification_id = $8) and ($9::text is null or l.lot_no = $9)
   and ($10::text is null or y.pay_state = $10) and {handled}
   and (($11::date is null and $12::date is null) or exists (
     select 1 from document b
      where b.org_id = $1 and b.id = l.source_document_id and ($11::date is null or b.business_date >= $11) and ($12::date is null or b.business_date <= $12)))
 order by v.id desc, l.source_sn desc, l.line_no
