-- The latest moves of the ledger. A line moves out of one store and into another; where it has one side only, the other
-- is a partner, or the department that used it.
with
  latest as materialized (
    select
      {{ columns_of(m, document_id, line_no, lot_id, specification_id, warehouse_id, quantity, at) }}
    from
      stock_move m
      join {{ own(warehouse, w, id = m.warehouse_id) }}
      and w.model <> 'consumed'
    where
      m.org_id = :organisation
      and {{ store_scope(m.warehouse_id) }}
    order by
      m.at desc
    limit
      400
  ),
  moved as (
    select
      {{ columns_of(x, document_id, line_no, lot_id, specification_id) }},
      max(x.at) as at,
      max(abs(x.quantity)) as quantity,
      max({{ only_where(w.name, x.quantity < 0) }}) as from_store,
      max({{ only_where(w.name, x.quantity > 0) }}) as to_store
    from
      latest x {{ store_of(x.warehouse_id) }}
    group by all
  )
select
  m.at,
  d.kind as document_kind,
  p.name as product_name,
  l.lot_no,
  m.quantity::numeric(18, 3) as quantity,
  coalesce(m.from_store, o.name, '—') as from_place,
  coalesce(m.to_store, e.name, o.name, '—') as to_place,
  d.sn as document_sn
from
  moved m
  join document d on d.org_id = :organisation
  and d.id = m.document_id {{ product_of(m.specification_id) }}
  join lot l on l.id = m.lot_id
  left join organisation o on o.id = d.counterparty_id {{ department_if_any(d.department_id) }}
order by
  m.at desc,
  d.sn,
  m.line_no
