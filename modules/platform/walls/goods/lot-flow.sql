-- The moves of a lot by kind: goods that came from outside, goods that left for good, and the stock by place. A move
-- between stores is neither coming in nor leaving; it ends in the balance of the store.
with
  moved as (
    select
      case
        when {{ feeds(d.kind, delivered, opened, unowed) }} then 'received'
        when m.step = 'use' then 'used'
        when {{ takes_back(d.kind, purchased) }} then 'returned'
        when {{ feeds(d.kind, lost) }} then 'lost'
        when {{ feeds(d.kind, given, otherwise_issued) }} then 'other'
      end as side,
      case
        when {{ feeds(d.kind, delivered, opened, unowed) }} then m.quantity
        else - m.quantity
      end as quantity
    from
      lots_named (:lot_no) l
      join {{ own(stock_move, m, lot_id = l.id) }}
      join {{ own(warehouse, w, id = m.warehouse_id) }}
      and w.model <> 'consumed' {{ document_of(m.document_id) }}
    where
      {{ store_scope(m.warehouse_id) }}
  ),
  lying as (
    select
      case w.model
        when 'transit' then 'transit'
        when 'ward' then 'ward'
        when 'cabinet' then 'cabinet'
        else 'store'
      end as side,
      b.quantity
    from
      lots_named (:lot_no) l
      join {{ own(stock_balance, b, lot_id = l.id) }}
      join {{ own(warehouse, w, id = b.warehouse_id) }}
      and w.model <> 'consumed'
    where
      {{ warehouse_scope(b.warehouse_id) }}
      and {{ department_scope(w.department_id) }}
  ),
  sides as (
    select
      m.side,
      m.quantity
    from
      moved m
    where
      m.side is not null
    union all
    select
      y.side,
      y.quantity
    from
      lying y
  )
select
  x.side,
  x.quantity::numeric(18, 3) as quantity
from
  sides x
union all
select
  'difference',
  n.left_over::numeric(18, 3)
from
  (
    select
      sum(
        case
          when x.side = 'received' then x.quantity
          else - x.quantity
        end
      ) as left_over
    from
      sides x
  ) n
where
  n.left_over <> 0
