-- $1 organisation, $2 first day, $3 last day, $4 store, $5 specification, $6 regime, $7 lot.
-- A red paper's moves are negative in the column of its kind, so a kind's net is one figure, whatever was undone.
-- By business day: it begins with the opening of a month by the moment of posting, adds what was posted since and what was posted after the
-- period for a day in it or before, and takes out what was posted before it for a later day.
with since as not materialized (
  select sealed_month($2::date::timestamp at time zone 'Asia/Shanghai') as base
), rows as (
  select m.warehouse_id, m.specification_id, m.lot_id, m.owner_id, true as is_before, m.quantity, m.value, null::text as side
    from since, month_opening m
   where m.org_id = $1 and m.month = since.base
   union all
  select m.warehouse_id, m.specification_id, m.lot_id, m.owner_id, m.business_date < $2::date, m.quantity, m.value, stock_side(d.kind, m.quantity, m.undo_of is not null)
    from since, stock_move m
    join document d on d.org_id = m.org_id and d.id = m.document_id
   where m.org_id = $1 and d.org_id = $1 and m.at >= month_start(since.base) and m.at < ($3::date + 1)::timestamp at time zone 'Asia/Shanghai' and m.business_date <= $3::date
   union all
  select m.warehouse_id, m.specification_id, m.lot_id, m.owner_id, m.business_date < $2::date, m.quantity, m.value, stock_side(d.kind, m.quantity, m.undo_of is not null)
    from stock_move m
    join document d on d.org_id = m.org_id and d.id = m.document_id
   where m.org_id = $1 and d.org_id = $1 and m.at >= ($3::date + 1)::timestamp at time zone 'Asia/Shanghai' and m.business_date <= $3::date
     and m.business_date < (m.at at time zone 'Asia/Shanghai')::date
   union all
  select m.warehouse_id, m.specification_id, m.lot_id, m.owner_id, x.is_before, x.sign * m.quantity, x.sign * m.value, case when not x.is_before then stock_side(d.kind, m.quantity, m.undo_of is not null) end
    from since, stock_move m
    join document d on d.org_id = m.org_id and d.id = m.document_id
   cross join (values (true, -1), (false, 1)) x(is_before, sign)
   where m.org_id = $1 and d.org_id = $1 and m.at < month_start(since.base) and m.business_date >= $2::date and (x.is_before or m.business_date <= $3::date)
     and m.business_date > (m.at at time zone 'Asia/Shanghai')::date
), moved as (
  select coalesce(z.stands_for_id, m.specification_id) as specification_id, m.is_before, m.quantity, m.value, m.side
    from rows m
    left join mapped_size z on z.specification_id = m.specification_id
    join warehouse w on w.org_id = $1 and w.id = m.warehouse_id
   where w.org_id = $1 and w.model not in ('transit', 'consumed')
     and ($4::bigint is null or m.warehouse_id = $4) and {stores:m.warehouse_id} and {departments:w.department_id}
     and {sizes:m.specification_id=$5}
     and ($6::text is null or ($6 = 'purchased') = (m.owner_id = $1))
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
  -- What was there once, and is long gone, is no row.
  having count(*) filter (where not is_before) > 0 or sum(quantity) <> 0 or sum(value) <> 0
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
