-- The moves since the month sealed last (`since`), each with its side of the stock card: by the moment of posting, in
-- stores; goods on the way have left their store. Goods that are stopped in a store of their own have left the one that
-- held them: only these documents are looked up, so that all others are read from their index.
posted as not materialized (
  select
    {{ columns_of(m, warehouse_id, specification_id, lot_id, owner_id, at, quantity, value, document_id) }},
    m.document_kind,
    case
      when m.document_kind = 'stopSale'
      and (
        select
          p.to_warehouse_id <> p.warehouse_id
        from
          document p
        where
          p.org_id = :organisation
          and p.id = m.document_id
      ) then stock_side ('transfer', m.quantity, m.undo_of is not null)
      else stock_side (m.document_kind, m.quantity, m.undo_of is not null)
    end as side
  from
    since,
    stock_move m
  where
    m.org_id = :organisation
    and m.at >= month_start (since.base)
    and m.at < {{ begin_of(:end_date + 1) }}
)
