-- $1 organisation, $2 first day, $3 last day, $4 store, $5 specification, $6 regime, $7 lot.
-- A red paper's moves are negative in the column of its kind, so a kind's net is one figure, whatever was undone.
with moved as (
  select m.specification_id, m.business_date < $2::date as is_before, m.quantity, m.value,
         stock_side(d.kind, m.quantity, m.undo_of is not null) as side
    from stock_move m
    join document d on d.org_id = m.org_id and d.id = m.document_id
    join warehouse w on w.org_id = m.org_id and w.id = m.warehouse_id
   where m.org_id = $1 and d.org_id = $1 and w.org_id = $1 and m.business_date <= $3::date and w.model not in ('transit', 'consumed')
     and ($4::bigint is null or m.warehouse_id = $4) and {stores:m.warehouse_id} and {departments:w.department_id}
     and ($5::bigint is null or m.specification_id = $5)
     and ($6::text is null or ($6 = 'purchased') = (m.owner_id = m.org_id))
     and ($7::text is null or m.lot_id in (select l.id from lot l where l.lot_no = $7))
), summed as (
  select specification_id,
         coalesce(sum(quantity) filter (where is_before), 0)::numeric(18,3) as opening_quantity,
         coalesce(sum(value) filter (where is_before), 0)::numeric(18,2) as opening_value,
         coalesce(sum(quantity) filter (where not is_before and side = 'purchase_in'), 0)::numeric(18,3) as purchase_in,
         coalesce(sum(quantity) filter (where not is_before and side = 'return_in'), 0)::numeric(18,3) as return_in,
         coalesce(sum(quantity) filter (where not is_before and side = 'transfer_in'), 0)::numeric(18,3) as transfer_in,
         coalesce(sum(quantity) filter (where not is_before and side = 'other_in'), 0)::numeric(18,3) as other_in,
         coalesce(-sum(quantity) filter (where not is_before and side = 'issue_out'), 0)::numeric(18,3) as issue_out,
         coalesce(-sum(quantity) filter (where not is_before and side = 'use_out'), 0)::numeric(18,3) as use_out,
         coalesce(-sum(quantity) filter (where not is_before and side = 'transfer_out'), 0)::numeric(18,3) as transfer_out,
         coalesce(-sum(quantity) filter (where not is_before and side in ('other_out', 'purchase_back')), 0)::numeric(18,3) as other_out,
         sum(quantity) as closing_quantity, sum(value) as closing_value
    from moved
   group by specification_id
)
select p.code as product_code, p.name as product_name, s.name as specification_name, s.unit_name, o.name as manufacturer_name,
       x.opening_quantity, x.opening_value, x.purchase_in, x.return_in, x.transfer_in, x.other_in,
       x.purchase_in + x.return_in + x.transfer_in + x.other_in as total_in,
       x.issue_out, x.use_out, x.transfer_out, x.other_out,
       x.issue_out + x.use_out + x.transfer_out + x.other_out as total_out,
       x.closing_quantity, x.closing_value, x.specification_id::text as specification_sn
  from summed x
  join specification s on s.id = x.specification_id
  join product p on p.id = s.product_id
  join organisation o on o.id = p.manufacturer_id
 order by p.code, s.code
