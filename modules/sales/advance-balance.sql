-- $1 organisation, $2 month as yyyy-mm, $3 customer
select o.name as counterparty_name, d.counterparty_id as counterparty_sn,
       coalesce(sum(m.value) filter (where m.business_date < ($2 || '-01')::date), 0)::numeric(18,2) as opening_value,
       coalesce(sum(m.value) filter (where to_char(m.business_date, 'YYYY-MM') = $2 and d.kind = 'advanceSale'), 0)::numeric(18,2) as out_value,
       coalesce(-sum(m.value) filter (where to_char(m.business_date, 'YYYY-MM') = $2 and d.kind = 'saleOdo'), 0)::numeric(18,2) as turned_value,
       coalesce(-sum(m.value) filter (where to_char(m.business_date, 'YYYY-MM') = $2 and d.kind not in ('advanceSale', 'saleOdo')), 0)::numeric(18,2) as returned_value,
       coalesce(sum(m.value) filter (where to_char(m.business_date, 'YYYY-MM') <= $2), 0)::numeric(18,2) as closing_value,
       coalesce(sum(m.quantity) filter (where to_char(m.business_date, 'YYYY-MM') <= $2), 0)::numeric(18,3) as closing_quantity
  from stock_move m
  join warehouse w on w.org_id = m.org_id and w.id = m.warehouse_id and w.model = 'advance'
  join document d on d.org_id = m.org_id and d.id = m.document_id
  left join organisation o on o.id = d.counterparty_id
 where m.org_id = $1 and ($3::bigint is null or d.counterparty_id = $3::bigint) and {stores:m.warehouse_id}
 group by 1, 2
having sum(m.value) filter (where to_char(m.business_date, 'YYYY-MM') <= $2) is not null
 order by closing_value desc, counterparty_name
