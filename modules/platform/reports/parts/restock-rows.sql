-- Faults in supplying the departments' stores, a row an occurrence. Use it beside the part `claimed-lines`. An
-- occurrence belongs to every period in which it lasted. `limit_breach` has too little and too much for the months that
-- were followed; occurrences that began later, and whether earlier ones still last, are followed from there to now.
followed as materialized (
  select
    posting_now () as now_at,
    {{ begin_of(:begin_date) }} as first_at,
    {{ begin_of(:end_date + 1) }} as last_at,
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
    {{ columns_of(k, min_quantity, max_quantity, since, until) }}
  from
    wards w
    join {{ own(limit_stretch, k, warehouse_id = w.id) }}
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
    {{ columns_of(k, warehouse_id, specification_id, side, begun_at) }},
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
    {{ columns_of(y, line_no, ward_id, department_id, stands_for_id, submitted_at) }},
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
    {{ columns_of(b, warehouse_id, specification_id, ended_at) }},
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
    join {{ own(stock_move, m, warehouse_id = b.warehouse_id, specification_id = b.size_id) }}
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
  group by all
),
receipts as (
  select
    {{ columns_of(d, id, sn, kind, reviewed_at, warehouse_id) }},
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
    {{ day_of(c.closed_at) }} as closed_on
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
        join {{ own(document, o, id = l.document_id) }}
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
            join {{ own(document, r, id = g.document_id) }}
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
    {{ columns_of(b, specification_id, on_hand, coming) }},
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
  by name
  select
    concat_ws('-', 'over', r.id, r.specification_id) as row_key,
    'over' as abnormality,
    case
      when r.claim_id is null then 'store'
      else 'department'
    end as cause,
    r.warehouse_id,
    r.specification_id,
    k.on_hand,
    k.coming,
    {{ columns_of(r, claim_id, claim_line_no, received) }},
    m.at as begun_at,
    m.ended_at,
    true as lasts
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
      group by all
    ) r
    join arrived m on m.document_id = r.id
    and m.warehouse_id = r.warehouse_id
    and m.specification_id = r.specification_id
    cross join lateral stock_at (:organisation, r.warehouse_id, r.specification_id, m.at) k
  union all
  by name
  select
    concat_ws('-', 'short', s.id, s.line_no) as row_key,
    'short' as abnormality,
    case
      when k.stock > 0 then 'store'
      when k.is_ordered_late then 'supplier'
      else 'purchasing'
    end as cause,
    s.ward_id as warehouse_id,
    s.department_id,
    s.stands_for_id as specification_id,
    s.id as claim_id,
    s.line_no as claim_line_no,
    s.closed_at as begun_at,
    s.closed_at as ended_at,
    false as lasts
  from
    short s
    join lacking k on k.id = s.id
    and k.line_no = s.line_no
  union all
  by name
  select
    concat_ws('-', 'difference', r.id, r.line_no) as row_key,
    'difference' as abnormality,
    'store' as cause,
    {{ columns_of(r, warehouse_id, specification_id, claim_id, claim_line_no, received) }},
    r.reviewed_at as begun_at,
    r.reviewed_at as ended_at,
    false as lasts
  from
    receipts r
  where
    r.granted <> r.received
  union all
  by name
  select
    concat_ws('-', 'late', c.id, c.line_no) as row_key,
    'late' as abnormality,
    'store' as cause,
    c.ward_id as warehouse_id,
    c.department_id,
    c.stands_for_id as specification_id,
    c.id as claim_id,
    c.line_no as claim_line_no,
    c.due_at as begun_at,
    e.ended_at,
    true as lasts
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
  by name
  select
    concat_ws('-', 'repeated', c.id, c.line_no) as row_key,
    'repeated' as abnormality,
    'department' as cause,
    c.ward_id as warehouse_id,
    c.department_id,
    c.stands_for_id as specification_id,
    k.on_hand,
    k.coming,
    c.id as claim_id,
    c.line_no as claim_line_no,
    c.submitted_at as begun_at,
    c.closed_at as ended_at,
    true as lasts
  from
    followed f
    join repeated c on coalesce(c.closed_at, f.now_at) >= f.first_at
    cross join lateral stock_at (:organisation, c.ward_id, c.stands_for_id, c.submitted_at) k
  union all
  by name
  select
    concat_ws('-', 'urgent', c.id, c.line_no) as row_key,
    'urgent' as abnormality,
    'department' as cause,
    c.ward_id as warehouse_id,
    c.department_id,
    c.stands_for_id as specification_id,
    k.on_hand,
    k.coming,
    c.id as claim_id,
    c.line_no as claim_line_no,
    c.submitted_at as begun_at,
    c.submitted_at as ended_at,
    false as lasts
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
    {{ columns_of(x, row_key, abnormality, cause, warehouse_id) }},
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
    greatest({{ day_of(x.begun_at) }}, :begin_date) as day,
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
    left join {{ own(restock_handling, h, occurrence = x.row_key) }}
  where
    x.begun_at < f.last_at
    and (
      x.begun_at >= f.first_at
      or x.lasts
      and coalesce(x.ended_at, f.now_at) >= f.first_at
    )
)
