-- Bought goods are of whoever brought the lot last, at the price of that delivery: of the lots that `bought_lot` names.
brought as materialized (
  select distinct
    on (l.specification_id, l.lot_no) l.specification_id,
    l.lot_no,
    d.counterparty_id,
    l.price
  from
    document_line l
    join document d on d.org_id = :organisation
    and d.id = l.document_id
  where
    l.org_id = :organisation
    and l.lot_no in (
      select
        lot_no
      from
        bought_lot
    )
    and d.kind in ('purchaseGrn', 'settlementGrn')
    and d.role = 'own'
    and d.red_of_id is null
    and d.state in ('reviewed', 'partial', 'completed')
    and d.counterparty_id is not null
  order by
    l.specification_id,
    l.lot_no,
    d.reviewed_at desc,
    d.id desc
)
