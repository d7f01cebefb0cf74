-- The organisations of a lot and the pieces that came to each and stayed there, used ones included, from the trace
-- ledger: what an organisation brought into the chain and what it received, less what it passed on or sent back. The
-- platform reads all of them. Another organisation reads itself, and of the others only what passed between it and
-- them. An event that was undone counts with a minus.
with
  own as (
    select
      o.id,
      o.system_type = 0 as is_platform
    from
      organisation o
    where
      o.id = :organisation
  ),
  moved as (
    select
      case
        when x.step in ('receive', 'return', 'transfer_in') then x.from_id
      end as from_id,
      x.to_id,
      x.quantity
    from
      lots_named (:lot_no) l
      join trace_effect x on x.lot_id = l.id
    where
      x.step in ('opening', 'produce', 'overflow', 'receive', 'return', 'transfer_in')
      and x.to_id is not null
      and (
        x.step in ('opening', 'produce', 'overflow')
        or x.from_id is distinct from x.to_id
      )
  ),
  sides as (
    select
      m.to_id as org_id,
      m.from_id as partner_id,
      m.quantity
    from
      moved m
    union all
    select
      m.from_id,
      m.to_id,
      - m.quantity
    from
      moved m
    where
      m.from_id is not null
  ),
  nodes as (
    select
      'stays' as part,
      s.org_id,
      sum(s.quantity) as quantity
    from
      sides s
      join own on own.is_platform
      or own.id = s.org_id
    group by all
    union all
    select
      case
        when sum(s.quantity) > 0 then 'from'
        else 'to'
      end,
      s.partner_id,
      abs(sum(s.quantity))
    from
      sides s
      join own on not own.is_platform
      and own.id = s.org_id
    where
      s.partner_id is not null
    group by all
  )
select
  case n.part
    when 'from' then '来自'
    when 'to' then '发往'
    else ''
  end || o.name as node,
  n.part,
  o.name as organisation_name,
  n.quantity::numeric(18, 3) as quantity,
  (
    sum(n.quantity) over (
      partition by
        n.part
    )
  )::numeric(18, 3) as whole,
  round(
    n.quantity / sum(n.quantity) over (
      partition by
        n.part
    ),
    4
  ) as share
from
  nodes n
  join organisation o on o.id = n.org_id
where
  n.quantity > 0
order by
  n.quantity desc,
  o.name
