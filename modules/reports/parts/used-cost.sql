-- What goods cost that customers used of consigned and lent stock: the average of their uses.
used_cost as (
  select
    customer_id,
    specification_id,
    lot_id,
    sum(value) / nullif(sum(quantity), 0) as each
  from
    consigned_move
  where
    org_id = :organisation
    and step = 'use'
  group by
    1,
    2,
    3
)
