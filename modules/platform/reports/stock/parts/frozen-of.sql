-- How much of the balance `x` is frozen piece by piece; asked only of lots of which a piece is.
case
  when x.lot_id in (
    select
      f.lot_id
    from
      goods_freeze f
    where
      f.org_id = :organisation
      and f.unit_id > 0
      and f.state = 'frozen'
  ) then frozen_pieces (:organisation, x.warehouse_id, coalesce(x.location, ''), x.lot_id, x.owner_id)
  else 0
end
