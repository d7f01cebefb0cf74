-- Each use that must be settled, with the document it came from and the one that settles it.
create view settlement_record with (security_invoker = true) as
select
  s.org_id, s.id, s.state, s.owner_id as owner_org_id, s.department_id, s.warehouse_id, d.kind as source_kind,
  d.sn as source_no, p.product_id, s.specification_id, l.lot_no, s.unit_code, s.quantity, s.price, s.tax_rate,
  s.amount, s.used_at, s.held_reason,
  case when t.id is not null then concat_ws(' 至 ', t.fields->>'begin_date', t.fields->>'end_date') end
    as settlement_period, t.sn as settlement_no, g.grn_no, g.invoice_no
from settlement_line s
join document d on d.org_id = s.org_id and d.id = s.use_document_id
join specification p on p.id = s.specification_id
join lot l on l.id = s.lot_id
left join document t on t.org_id = s.org_id and t.id = s.settlement_id
left join lateral (
  select
    string_agg(distinct r.sn, '、') as grn_no, string_agg(distinct i.fields->>'invoice_no', '、') as invoice_no
  from document_line x
  join document r on r.org_id = x.org_id and r.id = x.document_id
  left join (
    document_line y
    join document i on i.org_id = y.org_id
      and i.id = y.document_id
      and i.kind = any(adding('billed'))
      and i.role = 'own'
      and i.red_of_id is null
      and i.state in ('reviewed', 'partial', 'completed')
  ) on y.org_id = x.org_id and y.source_document_id = x.document_id and y.source_line_no = x.line_no
  where x.org_id = s.org_id
    and x.source_document_id = s.settlement_id
    and x.source_line_no = s.settlement_line_no
    and r.kind = any(adding('titled'))
    and r.role = 'own'
    and r.red_of_id is null
    and r.state in ('reviewed', 'partial', 'completed')
) g on true;
grant select on settlement_record to :app_role;

-- The credit that each customer uses: receivables, and the amounts that reviewed orders will add once they are shipped
-- (of stopped lines only what is under way).
create view credit_use with (security_invoker = true) as
select u.org_id, u.counterparty_id, sum(u.amount)::numeric(18,2) as used
from (
  select a.org_id, a.counterparty_id, a.amount
  from account_balance a
  where a.account in ('receivable_unbilled', 'receivable_invoiced')
  union all
  select
    d.org_id, d.counterparty_id, l.taxed_amount * (1 - least(1, coalesce(p.taken, 0) / nullif(l.base_quantity, 0)))
  from document d
  join document_line l on l.org_id = d.org_id and l.document_id = d.id
  left join lateral (
    select sum(g.taken) as taken
    from line_progress g
    where g.org_id = l.org_id
      and g.document_id = l.document_id
      and g.line_no = l.line_no
      and g.purpose in ('ship', 'stop')
  ) p on true
  where d.kind = any(adding('ordered_here')) and d.role = 'own' and d.state in ('reviewed', 'partial')
) u
group by u.org_id, u.counterparty_id;
grant select on credit_use to :app_role;

-- Lines of finished counts, each with what became of its difference: nothing was different, it waits for a document,
-- or which document settled it.
create view stock_take_line with (security_invoker = true) as
select
  d.org_id, concat_ws('-', d.id, l.line_no) as id, d.sn as take_no, d.warehouse_id, d.business_date, l.location,
  s.product_id, l.specification_id, l.lot_no, l.expiry_date, s.unit_name, l.owner_org_id, l.quality_state,
  (l.fields->>'book_quantity')::numeric(18,3) as book_quantity,
  (l.fields->>'moved_quantity')::numeric(18,3) as moved_quantity,
  (l.fields->>'counted_quantity')::numeric(18,3) as counted_quantity,
  (l.fields->>'difference')::numeric(18,3) as difference,
  (l.fields->>'difference_amount')::numeric(18,2) as difference_amount, l.fields->>'direction' as direction,
  l.fields->>'line_reason' as line_reason, l.unit_codes, l.fields->>'counted_by' as counted_by,
  (l.fields->>'counted_at')::timestamptz as counted_at, l.fields->>'recounted_by' as recounted_by,
  coalesce(f.kind, case when l.fields->>'direction' = 'none' then 'none' else 'waiting' end) as handled_by,
  f.sn as handled_no, f.state as handled_state, (d.fields->>'match_rate')::numeric(9,4) as match_rate
from document d
join document_line l on l.org_id = d.org_id and l.document_id = d.id
join specification s on s.id = l.specification_id
left join lateral (
  select x.kind, x.sn, x.state
  from document_line y
  join document x on x.org_id = y.org_id and x.id = y.document_id
  where y.org_id = d.org_id
    and y.source_document_id = d.id
    and y.source_line_no = l.line_no
    and x.role = 'own'
    and x.red_of_id is null
    and x.state not in ('deleted', 'cancelled')
  order by x.id desc
  limit 1
) f on true
where d.kind = any(adding('counted')) and d.role = 'own' and d.state in ('reviewed', 'partial', 'completed');
grant select on stock_take_line to :app_role;

-- Lines of advance sales, with quantities in the unit of the line: what was sold and brought back of it, and what is
-- left.
create view advance_line_shown with (security_invoker = true) as
select
  a.org_id, a.id, d.sn as sale_no, d.counterparty_id, d.handler_id, d.business_date,
  (d.fields->>'settle_date')::date as settle_date, a.line_no, s.product_id, l.specification_id, l.lot_no,
  l.unit_codes, l.unit_id, l.quantity, g.turned as turned_quantity, g.returned as returned_quantity,
  l.quantity - g.turned - g.returned as open_quantity, l.price, l.tax_rate,
  coalesce(l.fields->>'line_price_state', '1') as line_price_state,
  l.fields->>'line_confirmed_by' as line_confirmed_by,
  coalesce((l.fields->>'used_quantity')::numeric(18,3), 0) as used_quantity,
  array(select jsonb_array_elements_text(coalesce(l.fields->'used_codes', '[]'))) as used_codes,
  (l.fields->>'used_on')::date as used_on,
  case when coalesce((l.fields->>'used_quantity')::numeric, 0) > 0 then 'used' else 'none' end as use_state,
  d.state, a.document_id, a.version
from advance_line a
join document d on d.org_id = a.org_id and d.id = a.document_id
join document_line l on l.org_id = a.org_id and l.document_id = a.document_id and l.line_no = a.line_no
join specification s on s.id = l.specification_id
cross join lateral (
  select
    round(coalesce(sum(p.taken) filter (where p.purpose = 'turn'), 0) * l.quantity / l.base_quantity, 3) as turned,
    round(
      coalesce(sum(p.taken) filter (where p.purpose = 'return'), 0) * l.quantity / l.base_quantity, 3
    ) as returned
  from line_progress p
  where p.org_id = l.org_id and p.document_id = l.document_id and p.line_no = l.line_no
) g;
grant select on advance_line_shown to :app_role;

-- Lines of arrivals that something is wrong with, and how each was decided.
create view arrival_quality_line with (security_invoker = true) as
select
  q.org_id, q.id, d.sn as arrival_no, d.counterparty_id, d.fields->>'delivery_note_no' as delivery_note_no,
  d.business_date, d.warehouse_id, d.created_by, d.submitted_by, q.line_no, s.product_id, l.specification_id,
  l.lot_no, l.expiry_date, l.unit_id,
  (l.quantity + coalesce((l.fields->>'refused_quantity')::numeric, 0))::numeric(18,3) as quantity,
  coalesce((l.fields->>'refused_quantity')::numeric, 0)::numeric(18,3) as refused_quantity,
  l.fields->>'line_abnormal' as line_abnormal,
  coalesce(l.fields->>'line_note', d.fields->>'abnormal_note') as line_note,
  l.fields->>'line_decision' as line_decision,
  case when l.fields->>'line_decision' = 'pending' then null else l.fields->>'line_opinion' end as line_opinion,
  l.fields->>'line_decided_by' as line_decided_by, (l.fields->>'line_decided_at')::timestamptz as line_decided_at,
  case l.fields->>'line_decision' when 'pending' then 'pending' when 'hold' then 'hold' else 'done' end as handling,
  d.state as arrival_state, q.document_id, q.version
from quality_line q
join document d on d.org_id = q.org_id
  and d.id = q.document_id
  and d.kind = any(adding('arrived'))
  and d.state not in ('cancelled', 'deleted')
join document_line l on l.org_id = q.org_id
  and l.document_id = q.document_id
  and l.line_no = q.line_no
  and l.fields ? 'line_abnormal'
  and l.fields->>'line_abnormal' is not null
join specification s on s.id = l.specification_id;
grant select on arrival_quality_line to :app_role;

-- Lines of inspections, with the documents that handled the unqualified part. The part in stock is disposed of by
-- documents over its receipts; the part that was sent back at inspection never came in.
create view inspection_quality_line with (security_invoker = true) as
select
  q.org_id, q.id, d.sn as inspection_no, d.source_sn as arrival_no, d.counterparty_id, d.business_date,
  d.warehouse_id, d.created_by, d.submitted_by, q.line_no, s.product_id, l.specification_id, l.lot_no, l.unit_id,
  l.quantity, (l.fields->>'qualified_quantity')::numeric(18,3) as qualified_quantity, b.bad as unqualified_quantity,
  l.fields->>'unqualified_reason' as unqualified_reason, l.fields->>'disposition' as disposition,
  case
    when b.bad = 0 or d.state not in ('reviewed', 'partial', 'completed') then null
    when l.fields->>'disposed_on' is not null then '3'
    when l.fields->>'disposition' in ('return', 'exchange') then '2'
    when p.ended >= b.bad_base then '3'
    when p.documents is not null then '2'
    else '1'
  end as line_disposal_state,
  p.documents as disposal_papers, l.fields->>'exchange_no' as exchange_no,
  (l.fields->>'disposed_on')::date as disposed_on, l.fields->>'disposed_by' as disposed_by,
  l.fields->>'line_disposal_note' as line_disposal_note,
  array(select jsonb_array_elements_text(coalesce(l.fields->'disposal_proof', '[]'))) as disposal_proof,
  d.handler_id, coalesce(u.name, case when d.reviewed_by = 0 then '系统' end) as reviewed_by_name,
  (d.reviewed_at at time zone 'Asia/Shanghai')::date as reviewed_on, d.state as inspection_state, q.document_id,
  q.version
from quality_line q
join document d on d.org_id = q.org_id
  and d.id = q.document_id
  and d.kind = any(adding('inspected'))
  and d.state not in ('draft', 'cancelled', 'deleted')
join document_line l on l.org_id = q.org_id and l.document_id = q.document_id and l.line_no = q.line_no
join specification s on s.id = l.specification_id
left join app_user u on u.id = d.reviewed_by
cross join lateral (
  select
    coalesce((l.fields->>'unqualified_quantity')::numeric, 0)::numeric(18,3) as bad,
    round(
      coalesce((l.fields->>'unqualified_quantity')::numeric, 0) * l.base_quantity / nullif(l.quantity, 0), 3
    ) as bad_base
) b
left join lateral (
  select
    string_agg(distinct x.sn, '、') as documents,
    coalesce(sum(pl.base_quantity - coalesce(r.taken, 0)) filter (where x.state = 'completed'), 0) as ended
  from document_line g
  join document gd on gd.org_id = g.org_id
    and gd.id = g.document_id
    and gd.kind = any(adding('delivered'))
    and gd.role = 'own'
    and gd.red_of_id is null
  join document_line pl on pl.org_id = g.org_id
    and pl.source_document_id = g.document_id
    and pl.source_line_no = g.line_no
    and pl.quality_state = 'unqualified'
  join document x on x.org_id = pl.org_id
    and x.id = pl.document_id
    and x.kind in ('scrap', 'purchaseReturn')
    and x.role = 'own'
    and x.red_of_id is null
    and x.state not in ('cancelled', 'deleted', 'reversed')
  left join line_progress r on r.org_id = pl.org_id
    and r.document_id = pl.document_id
    and r.line_no = pl.line_no
    and r.purpose = 'refuse'
  where b.bad > 0 and g.org_id = l.org_id and g.source_document_id = l.document_id and g.source_line_no = l.line_no
) p on true;
grant select on inspection_quality_line to :app_role;

-- The quantity of each purchase that has arrived up to now, in base units.
create view purchase_record with (security_invoker = true) as
select
  t.org_id, t.id, t.record_no, t.business_date, t.document_id, t.line_no, d.sn as order_sn, t.handler_name,
  t.partner_id, t.partner_name, t.partner_credit_code, t.partner_licence_no, t.partner_address, t.partner_contact,
  t.specification_id, t.product_name, t.specification_name, t.device_class, t.registration_no, t.registrant,
  t.contract_maker, t.maker_licence_no, t.manufacturer_name, t.storage_condition, t.is_implant, t.unit_name,
  t.quantity, t.price, t.amount, coalesce(g.taken, 0)::numeric(18,3) as arrived_quantity,
  case
    when t.void_at is not null then 'void'
    when coalesce(g.taken, 0) >= t.quantity then 'done'
    when d.state = 'stopped' or coalesce(g.taken, 0) + g.stopped >= t.quantity then 'stopped'
    when coalesce(g.taken, 0) > 0 then 'partial'
    else 'open'
  end as state
from trade_record t
join document d on d.org_id = t.org_id and d.id = t.document_id
left join lateral (
  select
    max(p.taken) filter (where p.purpose in ('arrive', 'receive')) as taken,
    max(p.taken) filter (where p.purpose = 'stop') as stopped
  from line_progress p
  where p.org_id = t.org_id and p.document_id = t.document_id and p.line_no = t.line_no
) g on true
where t.register = 'purchase';
grant select on purchase_record to :app_role;

-- The quantity of each sale that came back since.
create view sales_record with (security_invoker = true) as
select
  t.org_id, t.id, t.record_no, t.business_date, t.record_type, t.document_id, t.line_no, d.sn as odo_sn,
  t.handler_name, t.partner_id, t.partner_name, o.system_type as partner_type, t.partner_credit_code,
  t.partner_licence_no, t.partner_address, t.partner_contact, t.specification_id, t.product_name,
  t.specification_name, t.device_class, t.registration_no, t.registrant, t.contract_maker, t.maker_licence_no,
  t.manufacturer_name, t.udi, t.storage_condition, t.is_implant, t.unit_name, t.lot_no, t.production_date,
  t.expiry_date, case when t.record_type = 'consigned' then 0 else t.quantity end::numeric(18,3) as sold_quantity,
  case when t.record_type = 'consigned' then 0 else t.amount end::numeric(18,2) as sold_amount, t.quantity, t.price,
  t.amount, coalesce(g.taken, 0)::numeric(18,3) as returned_quantity,
  case
    when t.void_at is not null then 'void'
    when t.quantity < 0 then 'minus'
    when coalesce(g.taken, 0) >= t.quantity then 'returned'
    when coalesce(g.taken, 0) > 0 then 'partial'
    else 'open'
  end as state
from trade_record t
join document d on d.org_id = t.org_id and d.id = t.document_id
left join organisation o on o.id = t.partner_id
left join lateral (
  select sum(p.taken) as taken
  from line_progress p
  where p.org_id = t.org_id and p.document_id = t.document_id and p.line_no = t.line_no and p.purpose = 'return'
) g on true
where t.register = 'sale';
grant select on sales_record to :app_role;
