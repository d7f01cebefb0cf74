select
  1 as lots,
  exists (
    select
      1
    from
      quality_certificate q
    where
      q.specification_id = b.specification_id
      and q.lot_no = b.lot_no
      and q.is_current
  )::int as certified
from
  (
    select distinct
      h.specification_id,
      h.lot_no
    from
      stock_on_hand h
    where
      h.org_id = :organisation
      and h.warehouse_model <> 'transit'
      and {{ warehouse_scope(h.warehouse_id) }}
      and {{ department_scope(h.department_id) }}
  ) b
