-- Goods that went from one organisation to another, lot by lot, from the trace ledger: a receipt, less returns, which
-- are shown under the same pair with a minus. No price, no person. An event that was undone counts with a minus on the
-- day it was undone.
with
  events as (
    select
      {{ columns_of(e, lot_id, org_id, document_kind, document_sn) }},
      {{ day_of(e.at) }} as day,
      {{ columns_of(e, step, from_id, to_id, quantity) }}
    from
      trace_effect e
    where
      e.booked_step in ('receive', 'return', 'transfer_in', 'undo')
      and {{ during(e.at) }}
  ),
  moved as (
    select
      e.*,
      case e.step
        when 'return' then e.to_id
        else e.from_id
      end as giver_id,
      case e.step
        when 'return' then e.from_id
        else e.to_id
      end as taker_id,
      case e.step
        when 'return' then -1
        else 1
      end as sign
    from
      events e
    where
      e.step in ('receive', 'return', 'transfer_in')
      and e.from_id <> e.to_id
  )
select
  x.day,
  g.name as giver_name,
  x.giver_id::text as giver_sn,
  g.division_name as giver_division,
  t.name as taker_name,
  x.taker_id::text as taker_sn,
  t.division_name as taker_division,
  coalesce(c.name, '未分类') as class_name,
  c.code as class_key,
  {{ goods_columns(product_code, product_name, specification_name) }},
  l.specification_id::text as specification_sn,
  x.org_id::text || ' ' || x.document_kind || ' ' || x.document_sn as document_key,
  (x.sign * x.quantity)::numeric(18, 3) as quantity
from
  moved x
  join organisation g on g.id = x.giver_id
  join organisation t on t.id = x.taker_id
  join lot l on l.id = x.lot_id {{ goods(l.specification_id) }}
  left join device_class c on c.catalogue = '2017'
  and c.code = left(p.class_code, 2)
where
  {{ if_asked(:party_sn, :party_sn in (x.giver_id, x.taker_id)) }}
  and {{ asked(c.code, :class_key) }}
  and {{ contains(c.name, :catalogue) }}
  and {{ asked_goods(l.specification_id) }}
  and {{ of_value(p) }}
