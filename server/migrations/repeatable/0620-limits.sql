-- The moment from which a submitted requisition no longer waited: its last grant, or when it was sent back or ended.
-- Null while it waits.
create function requisition_end(
  p_state text, p_reviewed_at timestamptz, p_granted_at timestamptz, p_changed_at timestamptz
) returns timestamptz language sql immutable
as $$
  select
    case
      when p_state = 'completed' then coalesce(p_granted_at, p_reviewed_at)
      when p_state in ('rejected', 'stopped', 'cancelled') then p_changed_at
    end
$$;

-- The store to which goods in transit under the number of a document are on their way.
create function bound_for(p_org bigint, p_sn text) returns setof bigint language sql stable
as $$
  select d.to_warehouse_id
  from document d
  where d.org_id = p_org
    and d.from_org_id = p_org
    and d.sn = p_sn
    and d.kind = any(adding('granted') || adding('moved'))
$$;

-- The times between the opening of a month (null: the first move of all) and `p_until` in which goods in the wards'
-- stores of an organisation were beyond the limits that held then, as in `limit_breach`; where `p_lasting` is given,
-- only those that had been so since before that moment when the month began. Qualified stock counts, with that of the
-- sizes that were mapped to them. A breach at the beginning of the month may have begun earlier. Goods without a known
-- beginning of their limits are followed from their first move.
create function limit_breaches(p_org bigint, p_month date, p_until timestamptz, p_lasting timestamptz)
returns table (
  warehouse_id bigint, specification_id bigint, side text, begun_at timestamptz, ended_at timestamptz,
  on_hand numeric, coming numeric
) language sql stable as $$
  -- Columns of their own: under row-level security no index is searched for what a function makes of one.
  with span as materialized (
    select
      month_start(p_month) as from_at, (month_start(p_month) - interval '120 days')::date as asked_from,
      p_until + interval '120 days' as granted_until
  ),
  limited as materialized (
    select
      k.warehouse_id, k.stands_for_id as specification_id, k.min_quantity, k.max_quantity, k.since, k.until, v.from_at
    from span v
    cross join limit_stretch k
    join warehouse w on w.org_id = p_org
      and w.id = k.warehouse_id
      and w.model in ('ward', 'cabinet')
      and w.department_id is not null
    cross join taken_for_thousand()
    where k.org_id = p_org
      and (k.since is null or k.since < p_until)
      and (k.until is null or k.until > v.from_at)
      and (
        p_lasting is null
        or exists (
          select 1
          from limit_breach b
          where b.org_id = p_org
            and b.warehouse_id = k.warehouse_id
            and b.specification_id = k.stands_for_id
            and b.ended_at is null
            and b.begun_at < p_lasting
        )
      )
  ),
  sized as materialized (
    select x.*, z.size_id
    from (select distinct k.warehouse_id, k.specification_id, k.from_at from limited k) x
    cross join lateral (
      select x.specification_id as size_id
      union all
      select y.specification_id
      from mapped_size y
      where y.stands_for_id = x.specification_id
    ) z
  ),
  held as materialized (
    select y.warehouse_id, y.specification_id, sum(y.on_hand) as on_hand, sum(y.coming) as coming
    from (
      select g.warehouse_id, g.specification_id, o.quantity as on_hand, 0 as coming
      from sized g
      join month_opening o on o.org_id = p_org
        and o.month = p_month
        and o.warehouse_id = g.warehouse_id
        and o.specification_id = g.size_id
        and o.quality_state = 'qualified'
      union all
      select g.warehouse_id, g.specification_id, 0, o.quantity
      from (
        select
          o.specification_id, o.quantity,
          (select b from bound_for(p_org, o.location) b) as warehouse_id
        from month_opening o
        join warehouse t on t.org_id = p_org and t.id = o.warehouse_id and t.model = 'transit'
        where o.org_id = p_org and o.month = p_month
      ) o
      join sized g on g.warehouse_id = o.warehouse_id and g.size_id = o.specification_id
    ) y
    group by y.warehouse_id, y.specification_id
  ),
  moved as materialized (
    select g.warehouse_id, g.specification_id, m.at, m.quantity as on_hand, 0 as coming
    from sized g
    join stock_move m on m.org_id = p_org
      and m.warehouse_id = g.warehouse_id
      and m.specification_id = g.size_id
      and m.at >= g.from_at
      and m.at < p_until
    where m.quality_state = 'qualified'
    union all
    select g.warehouse_id, g.specification_id, m.at, 0, m.quantity
    from (
      select
        m.specification_id, m.at, m.quantity,
        (select b from bound_for(p_org, m.location) b) as warehouse_id
      from (select distinct size_id, from_at from sized) z
      join warehouse t on t.org_id = p_org and t.model = 'transit'
      join stock_move m on m.org_id = p_org
        and m.warehouse_id = t.id
        and m.specification_id = z.size_id
        and m.at >= z.from_at
        and m.at < p_until
    ) m
    join sized g on g.warehouse_id = m.warehouse_id and g.size_id = m.specification_id
  ),
  followed as materialized (
    select
      k.warehouse_id, k.specification_id, k.min_quantity, k.max_quantity, k.until,
      case
        when k.since is not null then greatest(k.since, k.from_at)
        when h.warehouse_id is not null or exists (
          select 1
          from sized g
          join stock_move m on m.org_id = p_org
            and m.warehouse_id = g.warehouse_id
            and m.specification_id = g.size_id
            and m.at < g.from_at
          where g.warehouse_id = k.warehouse_id and g.specification_id = k.specification_id
        ) then k.from_at
        else f.at
      end as since
    from limited k
    left join held h on h.warehouse_id = k.warehouse_id and h.specification_id = k.specification_id
    left join (
      select m.warehouse_id, m.specification_id, min(m.at) as at
      from moved m
      group by m.warehouse_id, m.specification_id
    ) f on f.warehouse_id = k.warehouse_id and f.specification_id = k.specification_id
  ),
  -- Those that waited in this time: handed in during it, open still, or granted, sent back or ended after it began.
  -- None waited for longer than 120 days.
  asked_for as materialized (
    select
      d.id, d.to_warehouse_id as warehouse_id, d.submitted_at,
      requisition_end(
        d.state,
        d.reviewed_at,
        (
          select max(g.reviewed_at)
          from document_line l
          join document g on g.org_id = p_org and g.id = l.document_id
          where l.org_id = p_org
            and l.order_document_id = d.id
            and l.base_quantity > 0
            and g.kind = any(adding('granted'))
            and g.role = 'own'
            and g.state in ('reviewed', 'partial', 'completed', 'reversed')
        ),
        (select max(h.at) from document_history h where h.org_id = p_org and h.document_id = d.id)
      ) as closed_at
    from document d
    where d.org_id = p_org
      and d.kind = 'requisition'
      and d.role = 'own'
      and d.state in ('submitted', 'rejected', 'reviewed', 'partial', 'completed', 'stopped', 'cancelled')
      and d.submitted_at < p_until
      and exists (select 1 from sized)
      and d.id in (
        select x.id
        from span v
        join document x on x.org_id = p_org
          and x.kind = 'requisition'
          and x.submitted_at >= v.from_at
          and x.submitted_at < p_until
        union all
        select x.id
        from document x
        where x.org_id = p_org
          and x.kind = 'requisition'
          and x.role = 'own'
          and x.state in ('submitted', 'reviewed', 'partial')
        union all
        select l.order_document_id
        from span v
        join document x on x.org_id = p_org
          and x.kind = any(adding('granted'))
          and x.reviewed_at >= v.from_at
          and x.reviewed_at < v.granted_until
        join document_line l on l.org_id = p_org and l.document_id = x.id
        union all
        select x.id
        from span v
        join document x on x.org_id = p_org and x.kind = 'requisition' and x.reviewed_at >= v.from_at
        union all
        select x.id
        from span v
        join document x on x.org_id = p_org
          and x.kind = 'requisition'
          and x.role = 'own'
          and x.state in ('rejected', 'stopped', 'cancelled')
          and x.business_date >= v.asked_from
      )
  ),
  asked as materialized (
    select d.warehouse_id, l.specification_id, d.submitted_at, d.closed_at
    from asked_for d
    join document_line l on l.org_id = p_org and l.document_id = d.id
    cross join taken_for_thousand()
  ),
  changes as (
    select m.warehouse_id, m.specification_id, m.at, m.on_hand, m.coming, 0 as opened
    from moved m
    union all
    select k.warehouse_id, k.specification_id, v.at, 0, 0, 0
    from followed k
    cross join lateral (values (k.since), (k.until)) as v (at)
    where v.at < p_until
    union all
    select g.warehouse_id, g.specification_id, v.at, 0, 0, v.opened
    from asked a
    join sized g on g.warehouse_id = a.warehouse_id and g.size_id = a.specification_id
    cross join lateral (values (greatest(a.submitted_at, g.from_at), 1), (a.closed_at, -1)) as v (at, opened)
    where v.at < p_until and (a.closed_at is null or a.closed_at > g.from_at)
  ),
  stages as (
    select
      x.warehouse_id, x.specification_id, x.at, lead(x.at) over w as until,
      coalesce(h.on_hand, 0) + sum(x.on_hand) over w as on_hand,
      coalesce(h.coming, 0) + sum(x.coming) over w as coming,
      sum(x.opened) over w as opened
    from (
      select
        c.warehouse_id, c.specification_id, c.at, sum(c.on_hand) as on_hand, sum(c.coming) as coming,
        sum(c.opened) as opened
      from changes c
      group by c.warehouse_id, c.specification_id, c.at
    ) x
    left join held h on h.warehouse_id = x.warehouse_id and h.specification_id = x.specification_id
    window w as (partition by x.warehouse_id, x.specification_id order by x.at)
  ),
  beyond as (
    select
      s.*, v.side,
      -- Between two stretches of limits there may have been none.
      s.at is distinct from lag(s.until) over (
        partition by s.warehouse_id, s.specification_id, v.side order by s.at
      ) as begins
    from stages s
    join followed k on k.warehouse_id = s.warehouse_id
      and k.specification_id = s.specification_id
      and k.since <= s.at
      and (k.until is null or s.at < k.until)
    cross join lateral (values
      ('low', k.min_quantity > 0 and is_low(s.on_hand + s.coming, k.min_quantity) and s.opened = 0),
      ('over', k.max_quantity > 0 and s.on_hand > k.max_quantity)
    ) as v (side, is_beyond)
    where v.is_beyond
  ),
  numbered as (
    select
      b.*,
      count(*) filter (where b.begins) over (
        partition by b.warehouse_id, b.specification_id, b.side order by b.at
      ) as turn
    from beyond b
  )
  select
    t.warehouse_id, t.specification_id, t.side, min(t.at),
    case when bool_and(t.until is not null) then max(t.until) end,
    (array_agg(t.on_hand order by t.at))[1], (array_agg(t.coming order by t.at))[1]
  from numbered t
  group by t.warehouse_id, t.specification_id, t.side, t.turn
$$;

-- The qualified stock of a size and of those that were mapped to it in a store at a moment, and what was on its way
-- there, with what was posted then; one row.
create function stock_at(p_org bigint, p_warehouse bigint, p_specification bigint, p_at timestamptz)
returns table (on_hand numeric, coming numeric) language sql stable as $$
  with past as materialized (
    select x.month, month_start(x.month) as from_at
    from (select sealed_month(p_at) as month) x
  ),
  places as materialized (
    select z.size_id, w.id as warehouse_id
    from warehouse w
    cross join (
      select p_specification as size_id
      union all
      select m.specification_id
      from mapped_size m
      where m.stands_for_id = p_specification
    ) z
    where w.org_id = p_org and (w.id = p_warehouse or w.model = 'transit')
  ),
  pieces as (
    select o.warehouse_id, o.location, o.quality_state, o.quantity
    from past v
    cross join places s
    join month_opening o on o.org_id = p_org
      and o.month = v.month
      and o.warehouse_id = s.warehouse_id
      and o.specification_id = s.size_id
    union all
    select m.warehouse_id, m.location, m.quality_state, m.quantity
    from past v
    cross join places s
    join stock_move m on m.org_id = p_org
      and m.warehouse_id = s.warehouse_id
      and m.specification_id = s.size_id
      and m.at >= v.from_at
      and m.at <= p_at
  )
  select
    coalesce(sum(x.quantity) filter (where x.warehouse_id = p_warehouse and x.quality_state = 'qualified'), 0),
    coalesce(
      sum(x.quantity) filter (
        where x.warehouse_id <> p_warehouse and (select b from bound_for(p_org, x.location) b) = p_warehouse
      ),
      0
    )
  from pieces x
$$;

-- Whether a store ever asked for goods.
create function was_asked_for(p_org bigint, p_warehouse bigint, p_specification bigint)
returns boolean language sql stable as $$
  select
    exists (
      select 1
      from document_line l
      join document d on d.org_id = p_org and d.id = l.document_id
      where l.org_id = p_org
        and l.specification_id = p_specification
        and d.kind = 'requisition'
        and d.to_warehouse_id = p_warehouse
    )
$$;

-- Keeps the limits that hold now as past ones; called before limits are changed.
create function keep_limits(p_org bigint, p_rows bigint[])
returns void language sql as $$
  insert into past_limit (org_id, warehouse_id, specification_id, min_quantity, max_quantity, held_from)
  select k.org_id, k.warehouse_id, k.specification_id, k.min_quantity, k.max_quantity, k.limits_since
  from warehouse_product k
  where k.org_id = p_org
    and k.id = any(p_rows)
    and k.status = 'enabled'
    and (k.min_quantity > 0 or k.max_quantity > 0)
    and k.limits_since is distinct from posting_now()
$$;
