-- The person responsible for a warning `t`: the one in charge of its warehouse.
coalesce(
  (
    select
      e.name
    from
      warehouse h
      join employee e on e.org_id = h.org_id
      and e.id = h.manager_id
    where
      h.org_id = t.org_id
      and h.id = t.warehouse_id
  ),
  '未指定'
)
