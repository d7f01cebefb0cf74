-- Bought goods are of whoever brought the lot last, at the price of that delivery: of the lots that `bought_lot` names.
-- One row a lot, and the planner knows it (`distinct on`): where nobody asks who brought them, nobody looks.
brought as not materialized (
  select distinct
    on (g.lot_id) g.lot_id,
    r.counterparty_id,
    r.price
  from
    (
      select distinct
        lot_id
      from
        bought_lot
    ) g
    cross join lateral ({{ part(reports/last-delivery, settled => true) }}) r
)
