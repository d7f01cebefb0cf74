-- Lots that left a store by choice of the lot, and the lot that expired first among those that were there and qualified
-- at that moment: from the opening of the month and the moves since, as spans of moves during which a lot was on hand.
-- Moves that a document took back again do not count.
with
  since as not materialized (
    select
      sealed_month ({{ begin_of(:begin_date) }}) as base
  ),
  -- The quantity that left of a lot, line by line: summed before the document is looked up, because a document has many
  -- moves.
  left_by_line as (
    select
      {{ columns_of(m, document_id, line_no, warehouse_id, specification_id, lot_id) }},
      {{ filtered(max(m.id), m.quantity < 0) }} as last_id,
      (max(m.at) at time zone 'Asia/Shanghai')::date as day,
      - sum(m.quantity) as quantity
    from
      stock_move m {{ store_of(m.warehouse_id) }}
    where
      m.org_id = :organisation
      and {{ during(m.at) }}
      and m.quality_state = 'qualified'
      and {{ feeds(m.document_kind, granted, sold, moved, given, otherwise_issued) }}
      and {{ asked(m.document_kind, :document_kind) }}
      and w.model not in ('transit', 'consumed')
      and {{ narrowed(m, warehouse_model_inner_sn, specification_sn) }}
      and {{ warehouse_scope(m.warehouse_id) }}
      and {{ department_scope(w.department_id) }}
    group by all
    having
      sum(m.quantity) < 0
  ),
  gone as materialized (
    select
      d.kind,
      d.sn,
      k.expiry_date,
      m.*
    from
      left_by_line m {{ document_of(m.document_id) }}
      left join {{ own(stock_lot, k, lot_id = m.lot_id) }}
    where
      d.role = 'own'
  ),
  place as (
    select distinct
      warehouse_id,
      specification_id
    from
      gone
  ),
  change as (
    select
      {{ columns_of(o, warehouse_id, specification_id, lot_id) }},
      0::bigint as id,
      sum(o.quantity) as quantity
    from
      since,
      month_opening o
      join place p on p.warehouse_id = o.warehouse_id
      and p.specification_id = o.specification_id
    where
      o.org_id = :organisation
      and o.month = since.base
      and o.quality_state = 'qualified'
    group by all
    union all
    select
      {{ columns_of(m, warehouse_id, specification_id, lot_id, id, quantity) }}
    from
      since,
      stock_move m
      join place p on p.warehouse_id = m.warehouse_id
      and p.specification_id = m.specification_id
    where
      m.org_id = :organisation
      and m.at >= month_start (since.base)
      and m.at < {{ begin_of(:end_date + 1) }}
      and m.quality_state = 'qualified'
  ),
  level as (
    select
      c.*,
      sum(c.quantity) over (
        partition by
          {{ columns_of(c, warehouse_id, specification_id, lot_id) }}
        order by
          c.id
      ) > 0 as is_here
    from
      change c
  ),
  turn as (
    select
      v.*,
      lag(v.is_here) over (
        partition by
          {{ columns_of(v, warehouse_id, specification_id, lot_id) }}
        order by
          v.id
      ) as was_here
    from
      level v
  ),
  span as (
    select
      {{ columns_of(t, warehouse_id, specification_id, lot_id, is_here) }},
      t.id as from_id,
      lead(t.id) over (
        partition by
          {{ columns_of(t, warehouse_id, specification_id, lot_id) }}
        order by
          t.id
      ) as until_id
    from
      turn t
    where
      t.is_here is distinct from t.was_here
  ),
  here as materialized (
    select
      {{ columns_of(s, warehouse_id, specification_id, lot_id, from_id, until_id) }},
      k.expiry_date
    from
      span s
      join {{ own(stock_lot, k, lot_id = s.lot_id) }}
    where
      s.is_here
      and k.expiry_date is not null
  ),
  earlier as (
    select distinct
      on (g.document_id, g.line_no, g.warehouse_id, g.lot_id) g.document_id,
      {{ columns_of(g, line_no, warehouse_id, lot_id) }},
      h.lot_id as earlier_id,
      h.expiry_date
    from
      gone g
      join here h on h.warehouse_id = g.warehouse_id
      and h.specification_id = g.specification_id
      and h.expiry_date < coalesce(g.expiry_date, 'infinity')
      and h.expiry_date >= g.day
      and h.from_id < g.last_id
      and (
        h.until_id is null
        or h.until_id >= g.last_id
      )
    where
      not exists (
        select
        from
          gone x
        where
          x.document_id = g.document_id
          and x.lot_id = h.lot_id
      )
    order by
      {{ columns_of(g, document_id, line_no, warehouse_id, lot_id) }},
      h.expiry_date,
      h.lot_id
  )
select
  g.day,
  g.kind as document_kind,
  g.sn as document_sn,
  w.name as warehouse_name,
  {{ goods_columns(product_code, product_name, specification_name) }},
  l.lot_no,
  g.expiry_date,
  g.quantity::numeric(18, 3) as quantity,
  case
    when e.earlier_id is null then 'first'
    else 'later'
  end as lot_order,
  f.lot_no as earlier_lot,
  e.expiry_date as earlier_expiry,
  1 as out_lines,
  (e.earlier_id is null)::int as in_order
from
  gone g {{ product_of(g.specification_id) }} {{ store_of(g.warehouse_id) }}
  join lot l on l.id = g.lot_id
  left join earlier e on e.document_id = g.document_id
  and e.line_no = g.line_no
  and e.warehouse_id = g.warehouse_id
  and e.lot_id = g.lot_id
  left join lot f on f.id = e.earlier_id
where
  :lot_order is null
  or (:lot_order = 'first') = (e.earlier_id is null)
order by
  g.day desc,
  g.sn desc,
  g.line_no,
  l.lot_no
