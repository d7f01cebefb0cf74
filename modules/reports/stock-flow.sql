-- $1 organisation, $2 first day, $3 last day, $4 store, $5 specification, $6 product, $7 manufacturer, $8 lot, $9 number of a paper.
select m.at, d.kind as document_kind, d.sn as document_sn, d.role, m.step, w.name as warehouse_name, m.location, p.code as product_code, p.name as product_name,
       s.name as specification_name, o.name as manufacturer_name, l.lot_no, k.expiry_date, s.unit_name, h.name as owner_name, m.quality_state,
       case when m.quantity > 0 then m.quantity end as quantity_in, case when m.quantity < 0 then -m.quantity end as quantity_out,
       case when m.owner_id = m.org_id then m.value else 0 end as value
  from stock_move m
  join document d on d.org_id = m.org_id and d.id = m.document_id
  join warehouse w on w.org_id = m.org_id and w.id = m.warehouse_id
  join specification s on s.id = m.specification_id
  join product p on p.id = s.product_id
  join organisation o on o.id = p.manufacturer_id
  join organisation h on h.id = m.owner_id
  join lot l on l.id = m.lot_id
  left join stock_lot k on k.org_id = m.org_id and k.lot_id = m.lot_id
 where m.org_id = $1 and d.org_id = $1 and w.org_id = $1 and w.model <> 'consumed'
   and m.at >= ($2::date)::timestamp at time zone 'Asia/Shanghai' and m.at < ($3::date + 1)::timestamp at time zone 'Asia/Shanghai'
   and ($4::bigint is null or m.warehouse_id = $4) and {stores:m.warehouse_id} and {departments:w.department_id}
   and {sizes:m.specification_id=$5}
   and ($6::text is null or p.name like '%' || $6 || '%' or p.code like $6 || '%') and ($7::text is null or o.name like '%' || $7 || '%')
   and ($8::text is null or m.lot_id in (select x.id from lot x where x.lot_no = $8)) and ($9::text is null or d.sn = $9)
 order by m.id desc
