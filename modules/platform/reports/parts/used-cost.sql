-- The cost of consigned and lent goods that customers used or lost: the average of what left.
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
    and step in ('use', 'loss', 'scrap')
  group by all
)
