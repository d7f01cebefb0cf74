-- A line of a count says that nothing was different, or that its difference still waits for a paper.
create or replace view stock_take_line with (security_invoker = true) as
select d.org_id, concat_ws('-', d.id, l.line_no) as id, d.sn as take_no, d.warehouse_id, d.business_date, l.location, s.product_id, l.specification_id, l.lot_no, l.expiry_date,
       s.unit_name, l.owner_org_id, l.quality_state,
       (l.fields->>'book_quantity')::numeric(18,3) as book_quantity, (l.fields->>'moved_quantity')::numeric(18,3) as moved_quantity,
       (l.fields->>'counted_quantity')::numeric(18,3) as counted_quantity, (l.fields->>'difference')::numeric(18,3) as difference,
       (l.fields->>'difference_amount')::numeric(18,2) as difference_amount, l.fields->>'direction' as direction, l.fields->>'line_reason' as line_reason,
       l.unit_codes, l.fields->>'counted_by' as counted_by, (l.fields->>'counted_at')::timestamptz as counted_at, l.fields->>'recounted_by' as recounted_by,
       coalesce(f.kind, case when l.fields->>'direction' = 'none' then 'none' else 'waiting' end) as handled_by, f.sn as handled_no, f.state as handled_state, (d.fields->>'match_rate')::numeric(9,4) as match_rate
  from document d
  join document_line l on l.org_id = d.org_id and l.document_id = d.id
  join specification s on s.id = l.specification_id
  left join lateral (
    select x.kind, x.sn, x.state from document_line y join document x on x.org_id = y.org_id and x.id = y.document_id
     where y.org_id = d.org_id and y.source_document_id = d.id and y.source_line_no = l.line_no and x.role = 'own' and x.red_of_id is null and x.state not in ('deleted', 'cancelled')
     order by x.id desc limit 1) f on true
 where d.kind = 'stockTake' and d.role = 'own' and d.state in ('reviewed', 'partial', 'completed');
