-- $1 organisation, $2 first day, $3 last day, $4 store, $5 specification, $6 product, $7 manufacturer, $8 lot, $9 owner, $10 kind of paper, $11 partner of the paper, $12 department, $13 class of goods.
-- By the moment of posting. Amounts are of own goods: what others own is no value of ours.
-- From the opening of a month on, unless papers of one kind, partner or department are asked for: an opening does not know its papers.
with {@classed}, since as not materialized (
  select case when $10::text is null and $11::bigint is null and $12::bigint is null then sealed_month(($2::date)::timestamp at time zone 'Asia/Shanghai') end as base
), rows as (
  select m.warehouse_id, m.specification_id, m.lot_id, m.owner_id, true as is_before, m.quantity, m.value, null::text as side
    from since, month_opening m
   where m.org_id = $1 and m.month = since.base
   union all
  select m.warehouse_id, m.specification_id, m.lot_id, m.owner_id, m.at < ($2::date)::timestamp at time zone 'Asia/Shanghai', m.quantity, m.value,
         stock_side(d.kind, m.quantity, m.undo_of is not null)
    from since, stock_move m
    join document d on d.org_id = m.org_id and d.id = m.document_id
   where m.org_id = $1 and d.org_id = $1 and m.at >= month_start(since.base) and m.at < ($3::date + 1)::timestamp at time zone 'Asia/Shanghai'
     and ($10::text is null or d.kind = $10) and ($11::bigint is null or d.counterparty_id = $11) and ($12::bigint is null or d.department_id = $12)
), moved as (
  select m.specification_id, m.lot_id, m.is_before, m.quantity, case when m.owner_id = $1 then m.value else 0 end as value, m.side
    from rows m
    join warehouse w on w.org_id = $1 and w.id = m.warehouse_id
   where w.model not in ('transit', 'consumed')
     and ($4::bigint is null or m.warehouse_id = $4) and {stores:m.warehouse_id} and {departments:w.department_id}
     and ($5::bigint is null or m.specification_id = $5) and ($13::bigint is null or exists (select 1 from classed y where y.specification_id = m.specification_id and $3::date between y.valid_from and y.valid_to)) and ($9::bigint is null or m.owner_id = $9)
     and ($8::text is null or m.lot_id in (select l.id from lot l where l.lot_no = $8))
), summed as (
  select specification_id, lot_id,
         coalesce(sum(quantity) filter (where is_before), 0)::numeric(18,3) as opening_quantity,
         coalesce(sum(value) filter (where is_before), 0)::numeric(18,2) as opening_value,
         coalesce(sum(quantity) filter (where not is_before and side = 'purchase_in'), 0)::numeric(18,3) as purchase_in,
         coalesce(sum(quantity) filter (where not is_before and side = 'return_in'), 0)::numeric(18,3) as return_in,
         coalesce(sum(quantity) filter (where not is_before and side = 'transfer_in'), 0)::numeric(18,3) as transfer_in,
         coalesce(sum(quantity) filter (where not is_before and side = 'other_in'), 0)::numeric(18,3) as other_in,
         coalesce(-sum(quantity) filter (where not is_before and side = 'issue_out'), 0)::numeric(18,3) as issue_out,
         coalesce(-sum(quantity) filter (where not is_before and side = 'purchase_back'), 0)::numeric(18,3) as purchase_back,
         coalesce(-sum(quantity) filter (where not is_before and side = 'transfer_out'), 0)::numeric(18,3) as transfer_out,
         coalesce(-sum(quantity) filter (where not is_before and side in ('other_out', 'use_out')), 0)::numeric(18,3) as other_out,
         sum(quantity)::numeric(18,3) as closing_quantity, sum(value)::numeric(18,2) as closing_value
    from moved
   group by specification_id, lot_id
  -- What was there once, and is long gone, is no row.
  having count(*) filter (where not is_before) > 0 or sum(quantity) <> 0 or sum(value) <> 0
)
select p.code as product_code, p.name as product_name, s.name as specification_name, o.name as manufacturer_name, l.lot_no, k.expiry_date, s.unit_name,
       x.opening_quantity, x.opening_value, x.purchase_in, x.return_in, x.transfer_in, x.other_in,
       x.purchase_in + x.return_in + x.transfer_in + x.other_in as total_in,
       x.issue_out, x.purchase_back, x.transfer_out, x.other_out,
       x.issue_out + x.purchase_back + x.transfer_out + x.other_out as total_out,
       x.closing_quantity, x.closing_value, x.specification_id::text as specification_sn
  from summed x
  join specification s on s.id = x.specification_id
  join product p on p.id = s.product_id
  join organisation o on o.id = p.manufacturer_id
  join lot l on l.id = x.lot_id
  left join stock_lot k on k.org_id = $1 and k.lot_id = x.lot_id
 where ($6::text is null or p.name like '%' || $6 || '%' or p.code like $6 || '%') and ($7::text is null or o.name like '%' || $7 || '%')
 order by p.code, s.code, k.expiry_date, l.lot_no
