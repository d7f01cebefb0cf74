-- Bought goods are of whoever brought the lot last, at the price of that delivery: of the lots that `bought_lot` names.
brought as materialized (
  select
    g.lot_id,
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
