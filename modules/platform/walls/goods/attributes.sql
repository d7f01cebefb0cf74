with
  held as (
    select
      b.specification_id,
      sum(b.quantity) as quantity
    from
      stock_on_hand b
    where
      b.org_id = :organisation
      and b.warehouse_model <> 'transit'
      and {{ warehouse_scope(b.warehouse_id) }}
      and {{ department_scope(b.department_id) }}
    group by all
  )
select
  a.attribute,
  1 as sizes,
  coalesce(b.quantity, 0)::numeric(18, 3) as quantity
from
  hospital_product h {{ product_of(h.specification_id) }}
  cross join lateral (
    values
      ('high', p.is_high_value),
      ('implant', p.is_implant),
      ('interventional', p.is_interventional),
      ('reagent', p.is_reagent),
      ('cold', p.is_cold_chain),
      (
        'collective',
        h.collective_batch is not null
        and {{ day_of(posting_now()) }} between h.collective_from and h.collective_to
      )
  ) a (attribute, has)
  left join held b on b.specification_id = h.specification_id
where
  h.org_id = :organisation
  and h.status = 'enabled'
  and a.has
