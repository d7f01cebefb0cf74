-- Faults in supplying the departments' stores, a row an occurrence. Use it beside the part `claimed-lines`. An
-- occurrence belongs to every period in which it lasted. `limit_breach` has too little and too much for the months that
-- were followed; occurrences that began later, and whether earlier ones still last, are followed from there to now.
followed as materialized (
  select
    posting_now () as now_at,
    :begin_date::timestamp at time zone 'Asia/Shanghai' as first_at,
    (:end_date + 1)::timestamp at time zone 'Asia/Shanghai' as last_at,
    x.base,
    month_start (x.base) as base_at
  from
    (
      select
        max(month) as base
      from
        month_sealed
      where
        has_breaches
    ) x
),
wards as materialized (
  select
    w.id
  from
    warehouse w
  where
    w.org_id = :organisation
    and w.model in ('ward', 'cabinet')
    and {{ warehouse_scope(w.id) }}
    and {{ department_scope(w.department_id) }}
),
limits as materialized (
  select
    k.warehouse_id,
    k.stands_for_id as specification_id,
    k.min_quantity,
    k.max_quantity,
    k.since,
    k.until
  from
    wards w
    join limit_stretch k on k.org_id = :organisation
    and k.warehouse_id = w.id
    cross join taken_for_thousand ()
),
followed_since as materialized (
  select
    x.*
  from
    followed f
    cross join lateral limit_breaches (
      :organisation,
      f.base,
      'infinity',
      case
        when f.base_at >= f.last_at then f.last_at
      end
    ) x
),
breaches as materialized (
  select
    k.warehouse_id,
    k.specification_id,
    k.side,
    k.begun_at,
    case
      when k.ended_at is null
      and n.begun_at is null then f.base_at
      when k.ended_at is null then n.ended_at
      else k.ended_at
    end as ended_at,
    k.on_hand,
    k.coming
  from
    followed f
    join limit_breach k on k.org_id = :organisation
    and k.begun_at < f.last_at
    and (
      k.ended_at is null
      or k.ended_at >= f.first_at
    )
    join wards w on w.id = k.warehouse_id
    left join followed_since n on k.ended_at is null
    and n.begun_at = f.base_at
    and n.warehouse_id = k.warehouse_id
    and n.specification_id = k.specification_id
    and n.side = k.side
    cross join taken_for_thousand ()
  union all
  select
    n.*
  from
    followed f
    join followed_since n on n.begun_at < f.last_at
    join wards w on w.id = n.warehouse_id
    left join limit_breach k on k.org_id = :organisation
    and k.ended_at is null
    and k.warehouse_id = n.warehouse_id
    and k.specification_id = n.specification_id
    and k.side = n.side
    and n.begun_at = f.base_at
  where
    k.org_id is null
),
repeated as materialized (
  select distinct
    on (y.id, y.line_no) y.id,
    y.line_no,
    y.ward_id,
    y.department_id,
    y.stands_for_id,
    y.submitted_at,
    x.closed_at
  from
    claimed_lines y
    join claimed_lines x on x.ward_id = y.ward_id
    and x.stands_for_id = y.stands_for_id
    and x.id <> y.id
    and x.submitted_at < y.submitted_at
    and x.submitted_at >= y.submitted_at - interval '24 hours'
    and (
      x.closed_at is null
      or x.closed_at > y.submitted_at
    )
  order by
    y.id,
    y.line_no,
    x.submitted_at desc
),
-- Goods that came into a store while it had too much of them.
arrived as materialized (
  select
    m.document_id,
    b.warehouse_id,
    b.specification_id,
    b.ended_at,
    min(m.at) as at
  from
    followed f
    cross join (
      select
        b.*,
        b.specification_id as size_id
      from
        breaches b
      union all
      select
        b.*,
        z.specification_id
      from
        breaches b
        join mapped_size z on z.stands_for_id = b.specification_id
    ) b
    join stock_move m on m.org_id = :organisation
    and m.warehouse_id = b.warehouse_id
    and m.specification_id = b.size_id
    and m.at >= b.begun_at
    and m.at < f.last_at
  where
    b.side = 'over'
    and (
      b.ended_at is null
      or m.at < b.ended_at
    )
    and m.quality_state = 'qualified'
    and m.quantity > 0
    and {{ feeds(m.document_kind, ward_received) }}
  group by
    m.document_id,
    b.warehouse_id,
    b.specification_id,
    b.ended_at
),
receipts as (
  select
    d.id,
    d.sn,
    d.kind,
    d.reviewed_at,
    d.warehouse_id,
    l.line_no,
    coalesce(z.stands_for_id, l.specification_id) as specification_id,
    l.order_document_id as claim_id,
    l.order_line_no as claim_line_no,
    l.base_quantity as received,
    round(
      (l.fields ->> 'granted_quantity')::numeric * coalesce(l.base_quantity / nullif(l.quantity, 0), 1),
      3
    ) as granted
  from
    followed f
    join document d on d.org_id = :organisation
    and {{ feeds(d.kind, ward_received) }}
    and d.role = 'own'
    and d.red_of_id is null
    and d.state in ('reviewed', 'partial', 'completed')
    and d.reviewed_at < f.last_at {{ lines_of(d.id) }}
    left join mapped_size z on z.specification_id = l.specification_id
  where
    d.id in (
      select
        r.id
      from
        followed p
        join document r on r.org_id = :organisation
        and {{ feeds(r.kind, ward_received) }}
        and r.reviewed_at >= p.first_at
        and r.reviewed_at < p.last_at
      union
      select
        document_id
      from
        arrived
    )
    and {{ document_scope(d) }}
),
short as materialized (
  select
    c.*,
    (c.closed_at at time zone 'Asia/Shanghai')::date as closed_on
  from
    followed f
    join claimed_lines c on c.closed_at >= f.first_at
    and c.closed_at < f.last_at
  where
    c.state in ('completed', 'stopped')
    and c.granted < c.approved
),
-- The stock of the supplying store when a requisition was closed short, and whether an order of it was late then.
lacking as (
  select
    s.id,
    s.line_no,
    k.on_hand as stock,
    exists (
      select
        1
      from
        document_line l
        join document o on o.org_id = :organisation
        and o.id = l.document_id
      where
        l.org_id = :organisation
        and l.specification_id = s.specification_id
        and {{ feeds(o.kind, ordered) }}
        and o.role = 'own'
        and o.state in ('reviewed', 'partial', 'completed', 'stopped')
        and o.reviewed_at < s.closed_at
        and coalesce(l.fields ->> 'expected_date', o.fields ->> 'expected_date')::date < s.closed_on
        and l.base_quantity - coalesce(
          (
            select
              p.taken
            from
              line_progress p
            where
              p.org_id = :organisation
              and p.document_id = l.document_id
              and p.line_no = l.line_no
              and p.purpose = 'stop'
          ),
          0
        ) > (
          select
            coalesce(sum(g.base_quantity), 0)
          from
            document_line g
            join document r on r.org_id = :organisation
            and r.id = g.document_id
          where
            g.org_id = :organisation
            and g.order_document_id = l.document_id
            and g.order_line_no = l.line_no
            and {{ counted(r, delivered) }}
            and r.reviewed_at <= s.closed_at
        )
    ) as is_ordered_late
  from
    short s
    cross join lateral stock_at (:organisation, s.supply_id, s.specification_id, s.closed_at) k
),
-- First on its own: what it costs would hide from the planner what the joins with it cost.
found as materialized (
  select
    concat_ws(
      '-',
      'low',
      b.warehouse_id,
      b.specification_id,
      extract(
        epoch
        from
          b.begun_at
      )::bigint
    ) as row_key,
    'low' as abnormality,
    'department' as cause,
    b.warehouse_id,
    null::bigint as department_id,
    b.specification_id,
    b.on_hand,
    b.coming,
    null::bigint as claim_id,
    null::int as claim_line_no,
    null::numeric as received,
    b.begun_at,
    b.ended_at,
    true as lasts
  from
    followed f
    cross join breaches b
  where
    b.side = 'low'
    and coalesce(b.ended_at, f.now_at) - b.begun_at > interval '24 hours'
  union all
  select
    concat_ws('-', 'over', r.id, r.specification_id),
    'over',
    case
      when r.claim_id is null then 'store'
      else 'department'
    end,
    r.warehouse_id,
    null,
    r.specification_id,
    k.on_hand,
    k.coming,
    r.claim_id,
    r.claim_line_no,
    r.received,
    m.at,
    m.ended_at,
    true
  from
    (
      select
        id,
        warehouse_id,
        specification_id,
        min(claim_id) as claim_id,
        min(claim_line_no) as claim_line_no,
        sum(received) as received
      from
        receipts
      group by
        id,
        warehouse_id,
        specification_id
    ) r
    join arrived m on m.document_id = r.id
    and m.warehouse_id = r.warehouse_id
    and m.specification_id = r.specification_id
    cross join lateral stock_at (:organisation, r.warehouse_id, r.specification_id, m.at) k
  union all
  select
    concat_ws('-', 'short', s.id, s.line_no),
    'short',
    case
      when k.stock > 0 then 'store'
      when k.is_ordered_late then 'supplier'
      else 'purchasing'
    end,
    s.ward_id,
    s.department_id,
    s.stands_for_id,
    null,
    null,
    s.id,
    s.line_no,
    null,
    s.closed_at,
    s.closed_at,
    false
  from
    short s
    join lacking k on k.id = s.id
    and k.line_no = s.line_no
  union all
  select
    concat_ws('-', 'difference', r.id, r.line_no),
    'difference',
    'store',
    r.warehouse_id,
    null,
    r.specification_id,
    null,
    null,
    r.claim_id,
    r.claim_line_no,
    r.received,
    r.reviewed_at,
    r.reviewed_at,
    false
  from
    receipts r
  where
    r.granted <> r.received
  union all
  select
    concat_ws('-', 'late', c.id, c.line_no),
    'late',
    'store',
    c.ward_id,
    c.department_id,
    c.stands_for_id,
    null,
    null,
    c.id,
    c.line_no,
    null,
    c.due_at,
    e.ended_at,
    true
  from
    followed f
    cross join claimed_lines c
    cross join lateral (
      select
        case
          when c.granted >= c.approved
          and c.delivered_at is not null then c.delivered_at
          when c.state = 'stopped' then c.closed_at
        end as ended_at
    ) e
  where
    c.approved > 0
    and c.due_at < coalesce(e.ended_at, f.now_at)
  union all
  select
    concat_ws('-', 'repeated', c.id, c.line_no),
    'repeated',
    'department',
    c.ward_id,
    c.department_id,
    c.stands_for_id,
    k.on_hand,
    k.coming,
    c.id,
    c.line_no,
    null,
    c.submitted_at,
    c.closed_at,
    true
  from
    followed f
    join repeated c on coalesce(c.closed_at, f.now_at) >= f.first_at
    cross join lateral stock_at (:organisation, c.ward_id, c.stands_for_id, c.submitted_at) k
  union all
  select
    concat_ws('-', 'urgent', c.id, c.line_no),
    'urgent',
    'department',
    c.ward_id,
    c.department_id,
    c.stands_for_id,
    k.on_hand,
    k.coming,
    c.id,
    c.line_no,
    null,
    c.submitted_at,
    c.submitted_at,
    false
  from
    followed f
    join claimed_lines c on c.submitted_at >= f.first_at
    join limits p on p.warehouse_id = c.ward_id
    and p.specification_id = c.stands_for_id
    and (
      p.since is null
      or p.since <= c.submitted_at
    )
    and (
      p.until is null
      or c.submitted_at < p.until
    )
    cross join lateral stock_at (:organisation, c.ward_id, c.stands_for_id, c.submitted_at) k
  where
    c.is_urgent
    and not is_low (k.on_hand, p.min_quantity)
),
restock_rows as (
  select
    x.row_key,
    x.abnormality,
    x.cause,
    x.warehouse_id,
    coalesce(x.department_id, w.department_id) as department_id,
    x.specification_id,
    p.min_quantity,
    p.max_quantity,
    x.on_hand,
    x.coming,
    c.id as claim_id,
    c.sn as claim_sn,
    c.asked,
    c.granted,
    coalesce(x.received, c.received) as received,
    x.begun_at,
    x.ended_at,
    case
      when x.lasts then round(
        extract(
          epoch
          from
            coalesce(x.ended_at, f.now_at) - x.begun_at
        ) / 3600,
        1
      )
    end as hours,
    greatest((x.begun_at at time zone 'Asia/Shanghai')::date, :begin_date) as day,
    h.note,
    h.id is not null as is_handled
  from
    followed f
    cross join found x {{ store_if_any(x.warehouse_id) }}
    left join limits p on p.warehouse_id = x.warehouse_id
    and p.specification_id = x.specification_id
    and (
      p.since is null
      or p.since <= x.begun_at
    )
    and (
      p.until is null
      or x.begun_at < p.until
    )
    left join claimed_lines c on c.id = x.claim_id
    and c.line_no = x.claim_line_no
    left join restock_handling h on h.org_id = :organisation
    and h.occurrence = x.row_key
  where
    x.begun_at < f.last_at
    and (
      x.begun_at >= f.first_at
      or x.lasts
      and coalesce(x.ended_at, f.now_at) >= f.first_at
    )
)
