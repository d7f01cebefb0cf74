-- Bought goods, each line with its one contract: the one that its order names, otherwise the one whose price an order
-- of that day takes. Needs the parts `agreed` and `bought`.
covered as (
  select
    b.*,
    coalesce(n.contract_no, k.contract_no) as contract_no,
    k.price as contract_price
  from
    bought b
    left join lateral (
      select
        s.contract_no
      from
        signed s
      where
        s.contract_no = b.named_no
        and s.seller_id = b.counterparty_id
        and s.contract_type is distinct from 'quality'
        and coalesce(b.ordered_on, b.day) between s.valid_from and s.valid_to
      limit
        1
    ) n on true
    left join lateral (
      select
        a.contract_no,
        a.price
      from
        agreed a
      where
        a.seller_id = b.counterparty_id
        and a.specification_id = b.specification_id
        and b.day between a.valid_from and a.valid_to
      order by
        (a.contract_no = b.named_no) desc nulls last,
        array_position(array['volume', 'awarded', 'agreed', 'temporary'], a.price_type),
        a.valid_from desc,
        a.id desc
      limit
        1
    ) k on true
)
