-- What went wrong in supplying the departments' stores, a row an occurrence, beside the part `claimed-lines`. The stock
-- of each store and its goods is followed backwards, from the month after the period if it is sealed, else from now:
-- what lies there, what is on its way, and whether a requisition is open. Each moment is judged by the limits that held
-- then. An occurrence belongs to every period in which it stood. All goods are followed in the period; those that are
-- below or beyond their limits when it begins (`begun_before`) from the last month that they began within them, and
-- those that are when it ends (`lasting_on`) to the next such month.
followed as materialized (
  select
    posting_now () as now_at,
    :begin_date::timestamp at time zone 'Asia/Shanghai' as first_at,
    (:end_date + 1)::timestamp at time zone 'Asia/Shanghai' as last_at,
    x.base,
    case
      when x.base is null then 'infinity'
      else month_start (x.base)
    end as until_at
  from
    (
      select
        (
          select
            month
          from
            month_sealed
          where
            month = (date_trunc('month', :end_date::timestamp) + interval '1 month')::date
        ) as base
    ) x
),
limits as materialized (
  select
    k.warehouse_id,
    w.department_id,
    k.stands_for_id as specification_id,
    k.min_quantity,
    k.max_quantity,
    k.since,
    k.until
  from
    limit_stretch k
    join warehouse w on w.org_id = :organisation
    and w.id = k.warehouse_id
    cross join taken_for_thousand ()
  where
    k.org_id = :organisation
    and w.model in ('ward', 'cabinet')
    and w.department_id is not null
    and {{ warehouse_scope(k.warehouse_id) }}
    and {{ department_scope(w.department_id) }}
),
-- The sizes that count as one of the limited goods: itself, and those that were mapped to it.
sizes as materialized (
  select
    specification_id as stands_for_id,
    specification_id as size_id
  from
    limits
  union
  select
    stands_for_id,
    specification_id
  from
    mapped_size
),
-- What was where at the moment from which everything is followed.
base_stock as (
  select
    b.warehouse_id,
    b.location,
    b.specification_id,
    b.quality_state,
    b.quantity
  from
    followed f
    join stock_balance b on b.org_id = :organisation
  where
    f.base is null
  union all
  select
    o.warehouse_id,
    o.location,
    o.specification_id,
    o.quality_state,
    o.quantity
  from
    followed f
    join month_opening o on o.org_id = :organisation
    and o.month = f.base
),
held as (
  select
    x.warehouse_id,
    x.specification_id,
    sum(x.on_hand) as on_hand,
    sum(x.coming) as coming
  from
    (
      select
        b.warehouse_id,
        coalesce(z.stands_for_id, b.specification_id) as specification_id,
        b.quantity as on_hand,
        0 as coming
      from
        base_stock b
        left join mapped_size z on z.specification_id = b.specification_id
      where
        b.quality_state = 'qualified'
        and b.warehouse_id in (
          select
            warehouse_id
          from
            limits
        )
      union all
      select
        d.to_warehouse_id,
        coalesce(z.stands_for_id, b.specification_id),
        0,
        b.quantity
      from
        base_stock b
        join warehouse t on t.org_id = :organisation
        and t.id = b.warehouse_id
        and t.model = 'transit'
        join document d on d.org_id = :organisation
        and d.from_org_id = :organisation
        and d.sn = b.location
        and d.kind in ('grantOdo', 'transfer')
        left join mapped_size z on z.specification_id = b.specification_id
      where
        b.quantity > 0
    ) x
  group by
    x.warehouse_id,
    x.specification_id
),
-- Between moments that are known beforehand, so that they are found by their index; and all later ones where the month
-- after the period is not sealed.
moves_since as (
  select
    m.warehouse_id,
    m.location,
    m.specification_id,
    m.quality_state,
    m.at,
    m.quantity,
    m.document_id
  from
    stock_move m
  where
    m.org_id = :organisation
    and m.at >= :begin_date::timestamp at time zone 'Asia/Shanghai'
    and m.at < month_start ((date_trunc('month', :end_date::timestamp) + interval '1 month')::date)
  union all
  select
    m.warehouse_id,
    m.location,
    m.specification_id,
    m.quality_state,
    m.at,
    m.quantity,
    m.document_id
  from
    followed f
    join stock_move m on m.org_id = :organisation
    and m.at >= month_start ((date_trunc('month', :end_date::timestamp) + interval '1 month')::date)
  where
    f.base is null
),
-- First on its own: the planner then knows that they are many.
moves_of_wards as materialized (
  select
    case w.model
      when 'transit' then d.to_warehouse_id
      else m.warehouse_id
    end as warehouse_id,
    coalesce(z.stands_for_id, m.specification_id) as specification_id,
    m.at,
    case w.model
      when 'transit' then 0
      else m.quantity
    end as on_hand,
    case w.model
      when 'transit' then m.quantity
      else 0
    end as coming,
    m.document_id
  from
    moves_since m
    join warehouse w on w.org_id = :organisation
    and w.id = m.warehouse_id
    and w.model in ('ward', 'cabinet', 'transit')
    left join document d on d.org_id = :organisation
    and d.from_org_id = :organisation
    and d.sn = case
      when w.model = 'transit' then m.location
    end collate "C"
    and d.kind in ('grantOdo', 'transfer')
    left join mapped_size z on z.specification_id = m.specification_id
    cross join taken_for_thousand ()
  where
    w.model = 'transit'
    or m.quality_state = 'qualified'
),
moved_lately as materialized (
  select
    *
  from
    moves_of_wards
  where
    (warehouse_id, specification_id) in (
      select
        warehouse_id,
        specification_id
      from
        limits
    )
),
repeated as materialized (
  select distinct
    on (y.id, y.line_no) y.id,
    y.line_no,
    y.ward_id,
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
begun_before as materialized (
  select
    warehouse_id,
    specification_id,
    min(needed_at) as needed_at
  from
    (
      select
        k.warehouse_id,
        k.specification_id,
        f.first_at as needed_at
      from
        followed f
        join limits k on (
          k.since is null
          or k.since < f.first_at
        )
        and (
          k.until is null
          or k.until > f.first_at
        )
        left join held h on h.warehouse_id = k.warehouse_id
        and h.specification_id = k.specification_id
        left join (
          select
            warehouse_id,
            specification_id,
            sum(on_hand) as on_hand,
            sum(coming) as coming
          from
            moved_lately
          group by
            warehouse_id,
            specification_id
        ) m on m.warehouse_id = k.warehouse_id
        and m.specification_id = k.specification_id
        cross join lateral (
          select
            coalesce(h.on_hand, 0) - coalesce(m.on_hand, 0) as on_hand,
            coalesce(h.coming, 0) - coalesce(m.coming, 0) as coming
        ) x
      where
        (
          k.min_quantity > 0
          and x.on_hand + x.coming <= k.min_quantity
        )
        or (
          k.max_quantity > 0
          and x.on_hand > k.max_quantity
        )
      union all
      -- What was there when they asked once more is shown.
      select
        x.ward_id,
        x.stands_for_id,
        x.submitted_at
      from
        followed f
        join repeated x on x.submitted_at < f.first_at
        and coalesce(x.closed_at, f.now_at) >= f.first_at
    ) x
  group by
    warehouse_id,
    specification_id
),
lasting_on as materialized (
  select
    warehouse_id,
    specification_id,
    bool_or(is_low) as is_low
  from
    (
      select
        k.warehouse_id,
        k.specification_id,
        -- Whose limits changed since is followed in any case.
        k.until <= f.until_at as is_limited_otherwise,
        k.min_quantity > 0
        and coalesce(h.on_hand, 0) + coalesce(h.coming, 0) <= k.min_quantity as is_low,
        k.max_quantity > 0
        and h.on_hand > k.max_quantity as is_over
      from
        followed f
        join limits k on (
          k.since is null
          or k.since < f.until_at
        )
        and (
          k.until is null
          or k.until > f.first_at
        )
        left join held h on h.warehouse_id = k.warehouse_id
        and h.specification_id = k.specification_id
      where
        f.base is not null
    ) x
  where
    is_limited_otherwise
    or is_low
    or is_over
  group by
    warehouse_id,
    specification_id
),
-- From the last month before, and to the first month after, at whose beginning they were within their limits, whatever
-- was on its way: what stood before had ended, what stands after had not begun.
spans as materialized (
  select
    g.warehouse_id,
    g.specification_id,
    month_start (({{ part(reports/month-within-limits, before => true) }})) as from_at,
    f.first_at as to_at
  from
    followed f
    cross join (
      select
        warehouse_id,
        specification_id,
        needed_at as around
      from
        begun_before
    ) g
  union all
  select
    g.warehouse_id,
    g.specification_id,
    g.around,
    coalesce(
      ({{ part(reports/month-within-limits, before => false) }})::timestamp at time zone 'Asia/Shanghai',
      'infinity'
    )
  from
    (
      select
        n.warehouse_id,
        n.specification_id,
        f.until_at as around
      from
        followed f
        cross join lasting_on n
    ) g
),
spans_by_size as materialized (
  select
    s.*,
    z.size_id
  from
    spans s
    join sizes z on z.stands_for_id = s.specification_id
),
moved as materialized (
  select
    *
  from
    moved_lately
  union all
  select
    s.warehouse_id,
    s.specification_id,
    m.at,
    m.quantity,
    0,
    m.document_id
  from
    spans_by_size s
    join stock_move m on m.org_id = :organisation
    and m.warehouse_id = s.warehouse_id
    and m.specification_id = s.size_id
    and m.at >= s.from_at
    and m.at < s.to_at
  where
    m.quality_state = 'qualified'
  union all
  select
    s.warehouse_id,
    s.specification_id,
    m.at,
    0,
    m.quantity,
    m.document_id
  from
    spans_by_size s
    join warehouse t on t.org_id = :organisation
    and t.model = 'transit'
    join stock_move m on m.org_id = :organisation
    and m.warehouse_id = t.id
    and m.specification_id = s.size_id
    and m.at >= s.from_at
    and m.at < s.to_at
    join document d on d.org_id = :organisation
    and d.from_org_id = :organisation
    and d.sn = m.location
    and d.kind in ('grantOdo', 'transfer')
    and d.to_warehouse_id = s.warehouse_id
),
-- Since when these are known, whose spans end with the beginning of the period: from the month from which they are
-- followed, or from their first move.
known_since as materialized (
  select
    s.warehouse_id,
    s.specification_id,
    case
      when s.from_at > '-infinity' then s.from_at
      else min(m.at)
    end as at
  from
    followed f
    join spans s on s.to_at = f.first_at
    left join moved m on m.warehouse_id = s.warehouse_id
    and m.specification_id = s.specification_id
  group by
    s.warehouse_id,
    s.specification_id,
    s.from_at
),
par as materialized (
  select
    k.warehouse_id,
    k.department_id,
    k.specification_id,
    k.min_quantity,
    k.max_quantity,
    case
      when b.warehouse_id is null then greatest(k.since, f.first_at)
      else coalesce(k.since, b.at, f.first_at)
    end as since,
    k.until
  from
    followed f
    cross join limits k
    left join known_since b on b.warehouse_id = k.warehouse_id
    and b.specification_id = k.specification_id
  where
    b.warehouse_id is not null
    or k.until is null
    or k.until > f.first_at
),
-- What was asked for beside the claims of the period: before it by those that are followed from then, none of whose
-- requisitions was open for longer than 120 days; after it, since a requisition ends what is too little, by all as long
-- as all are followed, and on by those of which there is still too little.
asked_beside as materialized (
  select
    d.id,
    d.state,
    d.to_warehouse_id as warehouse_id,
    coalesce(z.stands_for_id, l.specification_id) as specification_id,
    d.submitted_at,
    d.reviewed_at,
    d.submitted_at >= f.last_at as is_later
  from
    (
      select
        f.last_at,
        least(:begin_date - 120, min(s.from_at)::date - 120) as from_on,
        greatest(
          f.until_at,
          max(s.to_at) filter (
            where
              n.is_low
          )
        ) as to_at
      from
        followed f
        left join spans s on true
        left join lasting_on n on n.warehouse_id = s.warehouse_id
        and n.specification_id = s.specification_id
      group by
        f.last_at,
        f.until_at
    ) f
    join document d on d.org_id = :organisation
    and d.kind = 'requisition'
    and d.business_date >= f.from_on
    join document_line l on l.org_id = :organisation
    and l.document_id = d.id
    left join mapped_size z on z.specification_id = l.specification_id
  where
    d.role = 'own'
    and (
      d.business_date < :begin_date - 120
      and d.state in ('completed', 'cancelled')
      and d.submitted_at < f.last_at
      or d.submitted_at >= f.last_at
      and d.submitted_at < f.to_at
      and d.state in ('submitted', 'rejected', 'reviewed', 'partial', 'completed', 'stopped', 'cancelled')
    )
    and d.id not in (
      select
        id
      from
        claims
    )
),
claimed_beside as (
  select
    d.warehouse_id,
    d.specification_id,
    d.submitted_at,
    case
      when d.state = 'completed' then coalesce(g.at, d.reviewed_at)
      when d.state in ('rejected', 'stopped', 'cancelled') then h.at
    end as closed_at
  from
    followed f
    cross join asked_beside d
    left join begun_before b on b.warehouse_id = d.warehouse_id
    and b.specification_id = d.specification_id
    left join lasting_on n on n.warehouse_id = d.warehouse_id
    and n.specification_id = d.specification_id
    left join lateral (
      select
        max(x.reviewed_at) as at
      from
        document_line y
        join document x on x.org_id = :organisation
        and x.id = y.document_id
      where
        y.org_id = :organisation
        and y.order_document_id = d.id
        and x.kind = 'grantOdo'
        and x.role = 'own'
        and x.state in ('reviewed', 'partial', 'completed', 'reversed')
    ) g on true
    left join lateral (
      select
        max(y.at) as at
      from
        document_history y
      where
        y.org_id = :organisation
        and y.document_id = d.id
    ) h on true
  where
    b.warehouse_id is not null
    or d.is_later
    and (
      d.submitted_at < f.until_at
      or n.is_low
    )
),
changes as (
  select
    warehouse_id,
    specification_id,
    at,
    on_hand,
    coming,
    0 as opened
  from
    moved
  union all
  select
    k.warehouse_id,
    k.specification_id,
    v.at,
    0,
    0,
    0
  from
    par k
    cross join lateral (
      values
        (k.since),
        (k.until)
    ) as v (at)
  where
    v.at is not null
  union all
  select
    c.ward_id,
    c.stands_for_id,
    v.at,
    0,
    0,
    v.opened
  from
    followed f
    cross join claimed_lines c
    left join begun_before b on b.warehouse_id = c.ward_id
    and b.specification_id = c.stands_for_id
    cross join lateral (
      values
        (
          case
            when b.warehouse_id is null then greatest(c.submitted_at, f.first_at)
            else c.submitted_at
          end,
          1
        ),
        (c.closed_at, -1)
    ) as v (at, opened)
  where
    v.at is not null
    and (
      b.warehouse_id is not null
      or c.closed_at is null
      or c.closed_at > f.first_at
    )
  union all
  select
    c.warehouse_id,
    c.specification_id,
    v.at,
    0,
    0,
    v.opened
  from
    claimed_beside c
    cross join lateral (
      values
        (c.submitted_at, 1),
        (c.closed_at, -1)
    ) as v (at, opened)
  where
    v.at is not null
),
stages as materialized (
  select
    x.warehouse_id,
    x.specification_id,
    x.at,
    lead(x.at) over w as until,
    coalesce(h.on_hand, 0) - coalesce(
      sum(x.on_hand) filter (
        where
          x.at < f.until_at
      ) over everything,
      0
    ) + sum(x.on_hand) over w as on_hand,
    coalesce(h.coming, 0) - coalesce(
      sum(x.coming) filter (
        where
          x.at < f.until_at
      ) over everything,
      0
    ) + sum(x.coming) over w as coming,
    sum(x.opened) over w as opened
  from
    (
      select
        warehouse_id,
        specification_id,
        at,
        sum(on_hand) as on_hand,
        sum(coming) as coming,
        sum(opened) as opened
      from
        changes
      group by
        warehouse_id,
        specification_id,
        at
    ) x
    cross join followed f
    left join held h on h.warehouse_id = x.warehouse_id
    and h.specification_id = x.specification_id
  window
    everything as (
      partition by
        x.warehouse_id,
        x.specification_id
    ),
    w as (
      partition by
        x.warehouse_id,
        x.specification_id
      order by
        x.at
    )
),
judged as materialized (
  select
    x.*,
    min(x.at) filter (
      where
        not x.is_over
    ) over (
      partition by
        x.warehouse_id,
        x.specification_id
      order by
        x.at desc rows between unbounded preceding
        and 1 preceding
    ) as over_until
  from
    (
      select
        s.*,
        p.department_id,
        p.min_quantity,
        p.max_quantity,
        p.min_quantity > 0
        and s.on_hand + s.coming <= p.min_quantity
        and s.opened = 0 as is_low,
        p.max_quantity > 0
        and s.on_hand > p.max_quantity as is_over
      from
        stages s
        join par p on p.warehouse_id = s.warehouse_id
        and p.specification_id = s.specification_id
        and p.since <= s.at
        and (
          p.until is null
          or s.at < p.until
        )
    ) x
),
stretches as (
  select
    x.*,
    sum(x.turns::int) over (
      partition by
        x.warehouse_id,
        x.specification_id
      order by
        x.at
    ) as stretch
  from
    (
      select
        j.*,
        j.is_low is distinct from lag(j.is_low) over w
        -- Between two stretches of limits there may have been none.
        or j.at is distinct from lag(j.until) over w as turns
      from
        judged j
      window
        w as (
          partition by
            j.warehouse_id,
            j.specification_id
          order by
            j.at
        )
    ) x
),
low as (
  select
    warehouse_id,
    specification_id,
    min(at) as begun_at,
    case
      when bool_and(until is not null) then max(until)
    end as ended_at,
    (
      array_agg(
        on_hand
        order by
          at
      )
    ) [1] as on_hand,
    (
      array_agg(
        coming
        order by
          at
      )
    ) [1] as coming
  from
    stretches
  where
    is_low
  group by
    warehouse_id,
    specification_id,
    stretch
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
    and d.kind = 'wardReceipt'
    and d.role = 'own'
    and d.red_of_id is null
    and d.state in ('reviewed', 'partial', 'completed')
    and d.reviewed_at < f.last_at
    join document_line l on l.org_id = :organisation
    and l.document_id = d.id
    left join mapped_size z on z.specification_id = l.specification_id
  where
    d.id in (
      select
        r.id
      from
        followed p
        join document r on r.org_id = :organisation
        and r.kind = 'wardReceipt'
        and r.reviewed_at >= p.first_at
        and r.reviewed_at < p.last_at
      union
      select
        m.document_id
      from
        followed p
        join moved m on m.at < p.first_at
    )
    and {{ warehouse_scope(d.warehouse_id) }}
    and {{ department_scope(d.department_id) }}
    and {{ author_scope(d.created_by, d.submitted_by) }}
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
-- What the supplying store had when a requisition was closed short, and whether an order of it was late then.
lacking as (
  select
    s.id,
    s.line_no,
    coalesce(b.quantity, 0) - coalesce(m.quantity, 0) as stock,
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
        and o.kind = 'purchaseOrder'
        and o.role = 'own'
        and o.state in ('reviewed', 'partial', 'completed', 'stopped')
        and o.reviewed_at < s.closed_at
        and coalesce(l.fields ->> 'expected_date', o.fields ->> 'expected_date')::date < s.closed_on
        and l.base_quantity > (
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
            and r.kind = 'purchaseGrn'
            and r.role = 'own'
            and r.state in ('reviewed', 'partial', 'completed', 'reversed')
            and r.reviewed_at <= s.closed_at
        )
    ) as is_ordered_late
  from
    short s
    cross join followed f
    left join (
      select
        warehouse_id,
        specification_id,
        sum(quantity) as quantity
      from
        base_stock
      where
        quality_state = 'qualified'
      group by
        warehouse_id,
        specification_id
    ) b on b.warehouse_id = s.supply_id
    and b.specification_id = s.specification_id
    left join lateral (
      select
        sum(quantity) as quantity
      from
        stock_move
      where
        org_id = :organisation
        and at > s.closed_at
        and at < f.until_at
        and warehouse_id = s.supply_id
        and specification_id = s.specification_id
        and quality_state = 'qualified'
    ) m on true
),
-- The line of a requisition that an occurrence is about, with what was in the store when it was handed in.
asked as materialized (
  select
    c.*,
    j.on_hand,
    j.coming,
    j.min_quantity
  from
    claimed_lines c
    left join judged j on j.warehouse_id = c.ward_id
    and j.specification_id = c.stands_for_id
    and j.at = c.submitted_at
),
-- First on its own: what it costs would hide from the planner what the joins with it cost.
found as materialized (
  select
    concat_ws(
      '-',
      'low',
      warehouse_id,
      specification_id,
      extract(
        epoch
        from
          begun_at
      )::bigint
    ) as row_key,
    'low' as abnormality,
    'department' as cause,
    warehouse_id,
    null::bigint as department_id,
    specification_id,
    on_hand,
    coming,
    null::bigint as claim_id,
    null::int as claim_line_no,
    null::numeric as received,
    begun_at,
    ended_at,
    true as lasts
  from
    low
    cross join followed f
  where
    coalesce(ended_at, f.now_at) - begun_at > interval '24 hours'
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
    j.on_hand,
    j.coming,
    r.claim_id,
    r.claim_line_no,
    r.received,
    j.at,
    j.over_until,
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
    join (
      select
        document_id,
        warehouse_id,
        specification_id,
        min(at) as at
      from
        moved
      where
        on_hand > 0
      group by
        document_id,
        warehouse_id,
        specification_id
    ) m on m.document_id = r.id
    and m.warehouse_id = r.warehouse_id
    and m.specification_id = r.specification_id
    join judged j on j.warehouse_id = r.warehouse_id
    and j.specification_id = r.specification_id
    and j.at = m.at
    and j.is_over
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
    c.on_hand,
    c.coming,
    c.id,
    c.line_no,
    null,
    c.submitted_at,
    e.closed_at,
    true
  from
    asked c
    join repeated e on e.id = c.id
    and e.line_no = c.line_no
  union all
  select
    concat_ws('-', 'urgent', c.id, c.line_no),
    'urgent',
    'department',
    c.ward_id,
    c.department_id,
    c.stands_for_id,
    c.on_hand,
    c.coming,
    c.id,
    c.line_no,
    null,
    c.submitted_at,
    c.submitted_at,
    false
  from
    asked c
  where
    c.is_urgent
    and c.on_hand > c.min_quantity
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
    cross join found x
    left join warehouse w on w.org_id = :organisation
    and w.id = x.warehouse_id
    left join par p on p.warehouse_id = x.warehouse_id
    and p.specification_id = x.specification_id
    and p.since <= x.begun_at
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
