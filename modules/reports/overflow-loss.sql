-- $1 organisation, $2 first day, $3 last day, $4 store, $5 specification, $6 number of a count, $7 only what looks like a lot taken for another.
with booked as (
  select t.id, t.sn, t.warehouse_id, t.business_date, l.specification_id,
         coalesce(sum(l.base_quantity) filter (where d.kind = 'overflow'), 0) as found, string_agg(distinct l.lot_no, '、') filter (where d.kind = 'overflow') as found_lots,
         coalesce(sum(l.base_quantity) filter (where d.kind = 'loss'), 0) as lost, string_agg(distinct l.lot_no, '、') filter (where d.kind = 'loss') as lost_lots,
         string_agg(distinct d.sn, '、') filter (where d.kind = 'overflow') as found_sn, string_agg(distinct d.sn, '、') filter (where d.kind = 'loss') as lost_sn
    from document t
    join document_line l on l.org_id = t.org_id and l.source_document_id = t.id
    join document d on d.org_id = l.org_id and d.id = l.document_id and d.kind in ('overflow', 'loss') and d.role = 'own' and d.state in ('draft', 'submitted', 'rejected', 'reviewed', 'completed')
   where t.org_id = $1 and t.kind = 'stockTake' and t.role = 'own' and t.business_date between $2::date and $3::date
     and ($4::bigint is null or t.warehouse_id = $4) and {stores:t.warehouse_id} and {sizes:l.specification_id=$5} and ($6::text is null or t.sn = $6)
   group by t.id, t.sn, t.warehouse_id, t.business_date, l.specification_id
)
select b.sn, 'stockTake' as paper_kind, b.business_date, w.name as warehouse_name, p.code as product_code, p.name as product_name, s.name as specification_name, o.name as manufacturer_name, s.unit_name,
       b.found_lots, b.found::numeric(18,3) as found, b.found_sn, b.lost_lots, b.lost::numeric(18,3) as lost, b.lost_sn, (b.found - b.lost)::numeric(18,3) as net,
       b.found > 0 and b.found = b.lost and b.found_lots is distinct from b.lost_lots as is_swapped
  from booked b
  join warehouse w on w.org_id = $1 and w.id = b.warehouse_id
  join specification s on s.id = b.specification_id
  join product p on p.id = s.product_id
  join organisation o on o.id = p.manufacturer_id
 where {departments:w.department_id} and ($7::boolean is not true or (b.found > 0 and b.found = b.lost))
 order by b.business_date desc, b.sn desc, p.code, s.code
