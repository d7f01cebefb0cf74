select
  {{ goods_columns(product_name, specification_name, manufacturer_name) }},
  b.lot_no,
  b.quantity::numeric(18, 3) as quantity,
  1 as lots,
  c.certified
from
  (
    select
      h.specification_id,
      h.lot_no,
      sum(h.quantity) as quantity
    from
      stock_on_hand h
    where
      h.org_id = :organisation
      and h.warehouse_model <> 'transit'
      and {{ warehouse_scope(h.warehouse_id) }}
      and {{ department_scope(h.department_id) }}
    group by all
  ) b {{ goods(b.specification_id) }}
  cross join lateral (
    select
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
  ) c
where
  {{ if_asked(:certificate, (:certificate = 'some') = (c.certified = 1)) }}
order by
  c.certified,
  p.name,
  s.name,
  b.lot_no
