select
  {{ goods_columns(product_code, product_name, specification_name, manufacturer_name) }},
  c.certificate_no as registration_no,
  s.unit_name,
  coalesce(b.quantity, 0)::numeric(18, 3) as quantity,
  (
    select
      count(*)::int
    from
      insurance_code i
    where
      i.org_id = :organisation
      and i.certificate_no = c.certificate_no
      and i.match_state in ('none', 'many', 'waiting')
  ) as candidates,
  s.id::text as specification_sn
from
  own_specification w
  join specification s on s.id = w.specification_id
  and s.status <> 'disabled'
  join product p on p.id = s.product_id
  join organisation o on o.id = p.manufacturer_id
  left join registration_certificate c on c.id = s.registration_certificate_id
  left join (
    select
      b.specification_id,
      sum(b.quantity) as quantity
    from
      stock_balance b
      join warehouse w on w.org_id = b.org_id
      and w.id = b.warehouse_id
    where
      b.org_id = :organisation
      and w.model <> 'consumed'
      and {{ warehouse_scope(b.warehouse_id) }}
      and {{ department_scope(w.department_id) }}
    group by all
  ) b on b.specification_id = s.id
where
  w.org_id = :organisation
  and not {{ any_own(insurance_code, i, specification_id = s.id, match_state = 'matched') }}
  and {{ named_product(p.name, p.code) }}
  and {{ made_by(o.name, p.brand) }}
  and (
    :in_stock is not true
    or b.quantity > 0
  )
order by
  coalesce(b.quantity, 0) = 0,
  p.code,
  s.code
