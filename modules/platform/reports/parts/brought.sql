-- The last supplier of bought lots and the price of its delivery, for the lots that `bought_lot` names. It has one row
-- a lot, and `distinct on` makes the planner know it: a query that does not use the suppliers does not read them.
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
    cross join lateral ({{ part(platform/reports/last-delivery, settled => true) }}) r
)
