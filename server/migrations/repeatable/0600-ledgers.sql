-- One row, which the planner takes for a thousand: PostgreSQL has no hints, and guesses a row or two where a statement
-- filters by several conditions that go together. It then compares each of thousands of rows with each of thousands
-- (a nested loop). Joined to what is many, it makes the planner join by hashing.
create function taken_for_thousand() returns setof int language sql volatile rows 1000
as $$
  select 1
$$;

-- The moment at which a month begins here. It uses CASE: under row-level security a condition with COALESCE counts as
-- one that might leak rows, and may not choose what an index reads; reports then read every move since the first.
create function month_start(p_month date) returns timestamptz language sql immutable
as $$
  select
    case when p_month is null then '-infinity'::timestamptz else p_month::timestamp at time zone 'Asia/Shanghai' end
$$;

-- The last month whose opening is recorded and that began by this moment; null where there is none.
create function sealed_month(p_by timestamptz) returns date language sql stable
as $$
  select max(month) from month_sealed where month_start(month) <= p_by
$$;

-- Whether the figures of a past month are computed.
create function has_month_figures(p_month date) returns boolean language sql stable
as $$
  select exists (select 1 from month_sealed where month = (p_month + interval '1 month')::date and has_figures)
$$;

-- Whether an organisation knows the goods of a lot: it had some of them, makes them, or is the platform.
create function knows_lot(p_org bigint, p_lot bigint) returns boolean language sql stable
as $$
  select
    exists (select 1 from lot_org o where o.lot_id = p_lot and o.org_id = p_org)
    or exists (
      select 1
      from lot t
      join specification s on s.id = t.specification_id
      join product p on p.id = s.product_id
      where t.id = p_lot and p.manufacturer_id = p_org
    )
    or exists (select 1 from organisation i where i.id = p_org and i.system_type = 0)
$$;

-- The codes of pieces that the readings of a text name to an organisation (`possibleCodes`): each as it is, the parts
-- of the organisation's packs, the own code behind a label of ours, and of goods that it knows those with the typed
-- code or serial; where none is written exactly so, those that differ in case, width or blanks.
create function codes_named(p_org bigint, p_readings text[]) returns setof text language sql stable
as $$
  select r from unnest(p_readings) r
  union
  select coalesce(k.piece_code, k.code)
  from pack k
  where k.org_id = p_org and k.pack_code = any(p_readings)
  union
  select n.bare
  from (
    select c.bare, rank() over (order by r <> c.bare and r <> serial_of(c.bare)) as place
    from unnest(p_readings) r
    join unit_code c on same_name(serial_of(c.bare)) = same_name(serial_of(r))
    join lot t on t.id = c.lot_id
    join specification s on s.id = t.specification_id
    where
      (
        r = serial_of(r)
        or same_name(r) = same_name(c.bare)
        or (c.kind = 'inhouse' and r = '(01)' || s.udi_di || '(21)' || c.bare)
      )
      and knows_lot(p_org, c.lot_id)
  ) n
  where n.place = 1
$$;

-- Whether a lot is under an open recall, or was recalled here and the feedback is not settled (waiting or answered).
create function lot_is_recalled(p_org bigint, p_lot bigint) returns boolean language sql stable
as $$
  select
    exists (select 1 from lot_recall r where r.lot_id = p_lot)
    or exists (
      select 1
      from recall_feedback f
      where f.org_id = p_org and f.lot_id = p_lot and f.state in ('waiting', 'answered')
    )
$$;

-- Whether the organisation has frozen a lot as a whole.
create function lot_is_frozen(p_org bigint, p_lot bigint) returns boolean language sql stable
as $$
  select
    exists (
      select 1
      from goods_freeze f
      where f.org_id = p_org and f.lot_id = p_lot and f.unit_id = 0 and f.state = 'frozen'
    )
$$;

-- Whether the organisation has frozen a piece, or its lot as a whole.
create function piece_is_frozen(p_org bigint, p_lot bigint, p_unit bigint) returns boolean language sql stable
as $$
  select
    exists (
      select 1
      from goods_freeze f
      where f.org_id = p_org and f.lot_id = p_lot and f.unit_id in (0, p_unit) and f.state = 'frozen'
    )
$$;

-- The quantity of a balance that is frozen piece by piece. Pieces that a document has reserved count as reserved.
create function frozen_pieces(p_org bigint, p_warehouse bigint, p_location text, p_lot bigint, p_owner bigint)
returns numeric language sql stable
as $$
  select coalesce(sum(u.quantity), 0)
  from goods_freeze f
  join unit u on u.lot_id = f.lot_id and u.id = f.unit_id
  where f.org_id = p_org
    and f.lot_id = p_lot
    and f.unit_id > 0
    and f.state = 'frozen'
    and u.status = 'in_stock'
    and u.holder_org_id = p_org
    and u.warehouse_id = p_warehouse
    and coalesce(u.place, '') = p_location
    and coalesce(u.owner_id, p_org) = p_owner
    and not exists (
      select 1
      from reservation r
      join unit_code c on c.lot_id = u.lot_id and c.unit_id = u.id
      where r.org_id = p_org and r.lot_id = p_lot and c.bare = any(r.unit_codes)
    )
$$;

-- Goods that an organisation froze, and who released them.
create view goods_freeze_row with (security_invoker = true) as
select
  f.org_id, f.id, case when f.unit_id = 0 then 'lot' else 'piece' end as scope, f.specification_id, t.lot_no, f.code,
  f.reason, f.state, f.frozen_by, f.frozen_at, f.release_reason, f.released_by, f.released_at, f.version
from goods_freeze f
join lot t on t.id = f.lot_id;
grant select on goods_freeze_row to :app_role;

-- Whether the lot of goods permits to use, sell and issue them today: not expired, recalled or frozen.
create function lot_is_good(p_org bigint, p_lot bigint) returns boolean language sql stable
as $$
  select
    not lot_is_recalled(p_org, p_lot)
    and not lot_is_frozen(p_org, p_lot)
    and not exists (
      select 1
      from stock_lot k
      where k.org_id = p_org
        and k.lot_id = p_lot
        and k.expiry_date < (posting_now() at time zone 'Asia/Shanghai')::date
    )
$$;

-- Whether all documents by which a lot came were undone, so that nothing depends on its dates. A document that waits
-- for its review has booked nothing, or is being booked now.
create function lot_is_taken_back(p_org bigint, p_lot bigint) returns boolean language sql stable
as $$
  select
    exists (select 1 from stock_move m where m.org_id = p_org and m.lot_id = p_lot)
    and not exists (
      select 1
      from stock_move m
      join document d on d.org_id = m.org_id and d.id = m.document_id
      where m.org_id = p_org and m.lot_id = p_lot and d.state not in ('draft', 'submitted', 'rejected')
      group by m.document_id, m.warehouse_id, m.location
      having sum(m.quantity) <> 0
    )
$$;

-- The dates that an organisation keeps for a lot, and which of its documents says so: the last that corrected them,
-- else the first that brought the lot.
create view stock_lot_origin with (security_invoker = true) as
select
  k.org_id, k.lot_id, k.specification_id, k.production_date, k.expiry_date,
  lot_is_taken_back(k.org_id, k.lot_id) as is_taken_back, o.document_id, o.kind, o.sn,
  coalesce(u.name, case when o.kind is not null then '系统' end) as written_by, o.written_at
from stock_lot k
left join lateral (
  select
    d.id as document_id, d.kind, d.sn, coalesce(d.submitted_by, d.created_by) as author,
    coalesce(d.submitted_at, d.created_at) as written_at
  from (
    select 1 as rank, l.document_id
    from lot t
    join document_line l on l.org_id = k.org_id and l.lot_no = t.lot_no and l.lot_id = t.id
    where t.id = k.lot_id
      and l.fields->>'new_lot_no' is null
      and coalesce(l.fields->>'new_expiry_date', l.fields->>'new_production_date') is not null
    union all
    (
      select 2, m.document_id
      from stock_move m
      where m.org_id = k.org_id and m.lot_id = k.lot_id and m.quantity > 0
      order by m.id
      limit 20
    )
  ) x
  join document d on d.org_id = k.org_id
    and d.id = x.document_id
    and d.role = 'own'
    and d.state in ('reviewed', 'partial', 'completed')
  order by x.rank, case when x.rank = 1 then d.reviewed_at end desc, d.reviewed_at
  limit 1
) o on true
left join app_user u on u.id = o.author;
grant select on stock_lot_origin to :app_role;

-- Every month since an organisation's first booking, closed or not.
create view accounting_month with (security_invoker = true) as
select
  o.id as org_id, to_char(g.month, 'YYYYMM')::bigint as id, to_char(g.month, 'YYYY-MM') as period,
  coalesce(p.state, 'open') as state, p.closed_by, p.closed_at, p.reopened_by, p.reopened_at, p.reopen_reason,
  p.close_note, p.close_reason,
  coalesce(p.version, 1) as version
from organisation o
cross join lateral (select m.at from stock_move m where m.org_id = o.id order by m.at limit 1) first
cross join lateral generate_series(
  date_trunc('month', first.at at time zone 'Asia/Shanghai'),
  date_trunc('month', posting_now() at time zone 'Asia/Shanghai'), interval '1 month'
) g(month)
left join accounting_period p on p.org_id = o.id and p.id = to_char(g.month, 'YYYYMM')::bigint;
grant select on accounting_month to :app_role;

-- One row for each counterparty: what it owes us and what we owe it, by account.
create view account_summary with (security_invoker = true) as
select
  a.org_id, a.counterparty_id as id, a.counterparty_id,
  coalesce(
    sum(a.amount) filter (where a.account in ('receivable_unbilled', 'receivable_invoiced')), 0
  )::numeric(18,2) as receivable,
  coalesce(sum(a.amount) filter (where a.account = 'receivable_invoiced'), 0)::numeric(18,2) as receivable_invoiced,
  coalesce(
    sum(a.amount) filter (where a.account in ('payable_estimated', 'payable_invoiced')), 0
  )::numeric(18,2) as payable,
  coalesce(sum(a.amount) filter (where a.account = 'payable_invoiced'), 0)::numeric(18,2) as payable_invoiced,
  coalesce(sum(a.amount) filter (where a.account = 'prepaid'), 0)::numeric(18,2) as prepaid,
  coalesce(sum(a.amount) filter (where a.account = 'prereceived'), 0)::numeric(18,2) as prereceived
from account_balance a
group by a.org_id, a.counterparty_id;
grant select on account_summary to :app_role;

-- The stock now, by lot, owner and quality state, with the dates of the lot and the quantity that other documents have
-- reserved. `available` is the quantity that may be used, defined here only: qualified goods in a store, of a lot that
-- is neither expired nor recalled, less the reserved quantity.
create view stock_on_hand with (security_invoker = true) as
select
  b.org_id,
  concat_ws('-', b.warehouse_id, b.specification_id, b.lot_id, b.owner_id, b.quality_state, b.location) as id,
  b.warehouse_id, w.model as warehouse_model, w.department_id, b.location, b.specification_id, s.product_id,
  b.lot_id, l.lot_no, k.production_date, k.expiry_date, b.owner_id as owner_org_id, b.quality_state, b.quantity,
  b.value,
  (
    select coalesce(sum(r.quantity), 0)
    from reservation r
    where r.org_id = b.org_id
      and r.warehouse_id = b.warehouse_id
      and r.specification_id = b.specification_id
      and r.lot_id = b.lot_id
      and r.location = b.location
      and r.owner_id = b.owner_id
      and r.quality_state = b.quality_state
  )::numeric(18,3) as reserved,
  null::bigint as customer_id,
  (
    case
      when b.quality_state = 'qualified'
        and w.model not in ('transit', 'consumed', 'stopSale')
        and lot_is_good(b.org_id, b.lot_id) then b.quantity - (
        select coalesce(sum(r.quantity), 0)
        from reservation r
        where r.org_id = b.org_id
          and r.warehouse_id = b.warehouse_id
          and r.specification_id = b.specification_id
          and r.lot_id = b.lot_id
          and r.location = b.location
          and r.owner_id = b.owner_id
          and r.quality_state = b.quality_state
      ) - frozen_pieces(b.org_id, b.warehouse_id, b.location, b.lot_id, b.owner_id)
      else 0
    end
  )::numeric(18,3) as available
from stock_balance b
left join warehouse w on w.org_id = b.org_id and w.id = b.warehouse_id
left join specification s on s.id = b.specification_id
left join lot l on l.id = b.lot_id
left join stock_lot k on k.org_id = b.org_id and k.lot_id = b.lot_id
where b.quantity > 0
  and not exists (
    select 1 from warehouse c where c.org_id = b.org_id and c.id = b.warehouse_id and c.model = 'consumed'
  );
grant select on stock_on_hand to :app_role;

-- Own goods that are with customers on consignment.
create view stock_elsewhere with (security_invoker = true) as
select
  c.org_id, concat_ws('-', 'out', c.customer_id, c.specification_id, c.lot_id) as id, null::bigint as warehouse_id,
  'consigned_out' as warehouse_model, null::bigint as department_id, o.name as location, c.specification_id,
  s.product_id, c.lot_id, l.lot_no, k.production_date, k.expiry_date, c.org_id as owner_org_id,
  'qualified' as quality_state, c.quantity, c.value, 0::numeric(18,3) as reserved, c.customer_id,
  0::numeric(18,3) as available
from consigned_out c
join organisation o on o.id = c.customer_id
join specification s on s.id = c.specification_id
join lot l on l.id = c.lot_id
left join stock_lot k on k.org_id = c.org_id and k.lot_id = c.lot_id
where c.quantity > 0;
grant select on stock_elsewhere to :app_role;

-- Every place of goods of the organisation, and of other owners' goods in the organisation: its stores, on the way, and
-- with customers on consignment.
create view stock_everywhere with (security_invoker = true) as
select
  b.org_id, b.id, b.org_id as keeper_org_id,
  case b.warehouse_model
    when 'central' then 'own'
    when 'virtual' then 'own'
    else b.warehouse_model
  end as place_kind,
  b.warehouse_id, b.department_id, b.specification_id, b.product_id, b.lot_id, b.lot_no, b.expiry_date,
  b.owner_org_id, b.quality_state, b.quantity
from stock_on_hand b
union all
select
  e.org_id, e.id, e.customer_id, 'consigned_out', null, null, e.specification_id, e.product_id, e.lot_id, e.lot_no,
  e.expiry_date, e.owner_org_id, e.quality_state, e.quantity
from stock_elsewhere e;
grant select on stock_everywhere to :app_role;

-- Goods on their way to a store that are not on its shelf yet: sent and not arrived (transit), or arrived and not yet
-- received (pending).
create view stock_coming with (security_invoker = true) as
select
  b.org_id, d.to_warehouse_id as warehouse_id, b.specification_id, l.lot_no, 'transit' as stage, b.quantity, d.sn
from stock_balance b
join warehouse w on w.org_id = b.org_id and w.id = b.warehouse_id and w.model = 'transit'
join lot l on l.id = b.lot_id
join document d on d.org_id = b.org_id and d.sn = b.location and d.role = 'own' and d.to_warehouse_id is not null
where b.quantity > 0
union all
-- A supplier's delivery: its copy here, less the part that arrived, was received, or was sent away on arrival.
select
  d.org_id,
  (
    select x.warehouse_id
    from document x
    where x.org_id = d.org_id and x.source_document_id = d.id and x.role = 'own' and x.warehouse_id is not null
    order by x.id desc
    limit 1
  ),
  l.specification_id, coalesce(l.lot_no, ''), 'transit', l.base_quantity - g.taken, d.sn
from document d
join document_line l on l.org_id = d.org_id and l.document_id = d.id
cross join lateral (
  select
    greatest(
      coalesce(sum(p.taken) filter (where p.purpose = 'arrive'), 0),
      coalesce(sum(p.taken) filter (where p.purpose = 'receive'), 0)
    ) + coalesce(sum(p.taken) filter (where p.purpose = 'refuse'), 0) as taken
  from line_progress p
  where p.org_id = l.org_id and p.document_id = l.document_id and p.line_no = l.line_no
) g
where d.kind = any(delivery_kinds())
  and d.role = 'counterparty'
  and d.state in ('reviewed', 'partial')
  and l.base_quantity > g.taken
union all
select
  d.org_id, d.warehouse_id, l.specification_id, coalesce(l.lot_no, ''), 'pending', l.base_quantity - g.taken, d.sn
from document d
join document_line l on l.org_id = d.org_id and l.document_id = d.id
cross join lateral (
  select coalesce(sum(p.taken), 0) as taken
  from line_progress p
  where p.org_id = l.org_id
    and p.document_id = l.document_id
    and p.line_no = l.line_no
    and p.purpose = any(shelved_by(d.kind))
) g
where d.kind = any(unshelved_kinds())
  and d.role = 'own'
  and d.state in ('reviewed', 'partial')
  and l.base_quantity > g.taken;
grant select on stock_coming to :app_role;

-- Lots that were in a store within the last year and are used up there: shown beside the stock on demand.
create view stock_used_up with (security_invoker = true) as
select
  m.org_id, concat_ws('-', 'none', m.warehouse_id, m.specification_id, m.lot_id, m.owner_id) as id, m.warehouse_id,
  w.model as warehouse_model, w.department_id, ''::text as location, m.specification_id, s.product_id, m.lot_id,
  l.lot_no, k.production_date, k.expiry_date, m.owner_id as owner_org_id, 'qualified'::text as quality_state,
  0::numeric(18,3) as quantity, 0::numeric(18,2) as value, 0::numeric(18,3) as reserved, null::bigint as customer_id,
  0::numeric(18,3) as available
from (
  select distinct org_id, warehouse_id, specification_id, lot_id, owner_id
  from stock_move
  where at > posting_now() - interval '1 year'
) m
join warehouse w on w.org_id = m.org_id and w.id = m.warehouse_id and w.model not in ('consumed', 'transit')
join specification s on s.id = m.specification_id
join lot l on l.id = m.lot_id
left join stock_lot k on k.org_id = m.org_id and k.lot_id = m.lot_id
where not exists (
    select 1
    from stock_balance b
    where b.org_id = m.org_id
      and b.warehouse_id = m.warehouse_id
      and b.specification_id = m.specification_id
      and b.lot_id = m.lot_id
      and b.owner_id = m.owner_id
      and b.quantity > 0
  );
grant select on stock_used_up to :app_role;

-- The limits of a store for a size together with the sizes mapped to it: one row, that of the size which stands for all
-- where there is one.
create view stock_limit with (security_invoker = true) as
select x.*
from (
  select distinct on (p.org_id, p.warehouse_id, coalesce(z.stands_for_id, p.specification_id))
    p.*, coalesce(z.stands_for_id, p.specification_id) as stands_for_id
  from warehouse_product p
  left join mapped_size z on z.specification_id = p.specification_id
  order by
    p.org_id, p.warehouse_id, coalesce(z.stands_for_id, p.specification_id), z.stands_for_id nulls first, p.id
) x
where x.status = 'enabled';
grant select on stock_limit to :app_role;

-- The limits of a size, with the sizes mapped to it, over time and without overlaps. `since` is null where the
-- beginning is unknown, `until` is null for the limits of today.
create view limit_stretch with (security_invoker = true) as
select
  x.org_id, x.warehouse_id, x.stands_for_id, x.min_quantity, x.max_quantity, x.since,
  least(
    x.until,
    lead(x.since) over (partition by x.org_id, x.warehouse_id, x.stands_for_id order by x.since nulls first, x.until)
  ) as until
from (
  select k.org_id, k.warehouse_id, k.stands_for_id, k.min_quantity, k.max_quantity, k.limits_since as since,
    null::timestamptz as until
  from stock_limit k
  union all
  select p.org_id, p.warehouse_id, coalesce(z.stands_for_id, p.specification_id), p.min_quantity, p.max_quantity,
    p.held_from, p.held_until
  from past_limit p
  left join mapped_size z on z.specification_id = p.specification_id
) x;
grant select on limit_stretch to :app_role;

-- The stock of the wards' stores and cabinets now, in three ways: by product, by lot and owner, and piece by piece
-- where pieces or packs have codes. A reader selects one of them; quantities by lot add up to those by product.
create view department_stock with (security_invoker = true) as
select
  b.org_id, 'product' as display, concat_ws('-', 'p', b.warehouse_id, b.specification_id) as id, b.warehouse_id,
  b.department_id, b.product_id, b.specification_id, null::bigint as lot_id, null::text as lot_no,
  min(b.expiry_date) as expiry_date,
  case
    when min(b.owner_org_id) = max(b.owner_org_id) then min(b.owner_org_id)
  end as owner_org_id,
  sum(b.quantity)::numeric(18,3) as quantity, sum(b.available)::numeric(18,3) as available,
  sum(b.value)::numeric(18,2) as value,
  coalesce(sum(b.quantity) filter (where b.owner_org_id <> b.org_id), 0)::numeric(18,3) as consigned
from stock_on_hand b
where b.warehouse_model in ('ward', 'cabinet')
group by b.org_id, b.warehouse_id, b.department_id, b.product_id, b.specification_id
union all
select
  b.org_id, 'lot', concat_ws('-', 'l', b.warehouse_id, b.specification_id, b.lot_id, b.owner_org_id), b.warehouse_id,
  b.department_id, b.product_id, b.specification_id, b.lot_id, b.lot_no, b.expiry_date, b.owner_org_id,
  sum(b.quantity)::numeric(18,3), sum(b.available)::numeric(18,3), sum(b.value)::numeric(18,2),
  coalesce(sum(b.quantity) filter (where b.owner_org_id <> b.org_id), 0)::numeric(18,3)
from stock_on_hand b
where b.warehouse_model in ('ward', 'cabinet')
group by
  b.org_id, b.warehouse_id, b.department_id, b.product_id, b.specification_id, b.lot_id, b.lot_no, b.expiry_date,
  b.owner_org_id
union all
select
  w.org_id, 'unit', concat_ws('-', 'u', u.lot_id, u.id), w.id, w.department_id, s.product_id, u.specification_id,
  u.lot_id, l.lot_no, k.expiry_date, coalesce(u.owner_id, w.org_id), u.quantity::numeric(18,3),
  (
    case
      when lot_is_good(w.org_id, u.lot_id)
        and not piece_is_frozen(w.org_id, u.lot_id, u.id)
        and q.quality_state = 'qualified' then u.quantity
      else 0
    end
  )::numeric(18,3),
  round(q.value * u.quantity / nullif(q.quantity, 0), 2)::numeric(18,2),
  (case when coalesce(u.owner_id, w.org_id) = w.org_id then 0 else u.quantity end)::numeric(18,3)
from warehouse w
join unit u on u.holder_org_id = w.org_id and u.warehouse_id = w.id and u.id > 0 and u.status = 'in_stock'
join specification s on s.id = u.specification_id
join lot l on l.id = u.lot_id
left join stock_lot k on k.org_id = w.org_id and k.lot_id = u.lot_id
left join lateral (
  select b.quality_state, b.quantity, b.value
  from stock_balance b
  where b.org_id = w.org_id
    and b.warehouse_id = w.id
    and b.specification_id = u.specification_id
    and b.lot_id = u.lot_id
    and b.owner_id = coalesce(u.owner_id, w.org_id)
    and b.location = coalesce(u.place, '')
    and b.quantity > 0
  order by b.quality_state = 'qualified' desc
  limit 1
) q on true
where w.model in ('ward', 'cabinet');
grant select on department_stock to :app_role;

-- Goods that the wards' stores have run out of: goods of their lists without stock, and lots that were used up within
-- the year.
create view department_stock_out with (security_invoker = true) as
select
  p.org_id, 'product' as display, concat_ws('-', 'p', p.warehouse_id, p.stands_for_id) as id, p.warehouse_id,
  w.department_id, s.product_id, p.stands_for_id as specification_id, null::bigint as lot_id, null::text as lot_no,
  null::date as expiry_date, null::bigint as owner_org_id, 0::numeric(18,3) as quantity,
  0::numeric(18,3) as available, 0::numeric(18,2) as value, 0::numeric(18,3) as consigned
from stock_limit p
join warehouse w on w.org_id = p.org_id and w.id = p.warehouse_id and w.model in ('ward', 'cabinet')
join specification s on s.id = p.stands_for_id
where not exists (
    select 1
    from stock_balance b
    where b.org_id = p.org_id
      and b.warehouse_id = p.warehouse_id
      and b.specification_id = any((select same_sizes(p.stands_for_id))::bigint[])
      and b.quantity > 0
  )
union all
select
  b.org_id, 'lot', concat_ws('-', 'l', b.warehouse_id, b.specification_id, b.lot_id, b.owner_org_id), b.warehouse_id,
  b.department_id, b.product_id, b.specification_id, b.lot_id, b.lot_no, b.expiry_date, b.owner_org_id,
  b.quantity, b.available, b.value, 0::numeric(18,3)
from stock_used_up b
where b.warehouse_model in ('ward', 'cabinet');
grant select on department_stock_out to :app_role;

-- The effect of each event of the trace: an event that takes back an earlier one has the step and the ends of that one,
-- and its quantity with a minus. `booked_step` is the step under which it was booked itself (`undo`).
create view trace_effect with (security_invoker = true) as
select
  e.lot_id, e.org_id, e.at, e.document_kind, e.document_sn, e.step as booked_step, coalesce(u.step, e.step) as step,
  coalesce(u.from_org_id, e.from_org_id) as from_id, coalesce(u.to_org_id, e.to_org_id) as to_id,
  case when u.seq is null then e.quantity else - e.quantity end as quantity
from trace_event e
left join trace_event u on u.lot_id = e.lot_id and u.unit_id = e.unit_id and u.seq = e.undo_of;
grant select on trace_effect to :app_role;
