-- The owner of the goods of a row `x`, or the last supplier of own goods: looked up for the rows that are shown.
select
  case
    when x.owner_id <> :organisation then x.owner_id
    else (
      select
        r.counterparty_id
      from
        (
          select
            x.lot_id
        ) g
        cross join lateral ({{ part(platform/reports/last-delivery, settled => true) }}) r
    )
  end as supplier_id
