with
  {{ part(stock-at, central_alone => false) }},
  {{ part(platform/reports/classed, class => :custom_type_sn) }},
  {{ part(platform/reports/finance-class) }},
  {{ part(platform/reports/class-then, day => :end_date) }},
  reserved as (
    select
      {{ columns_of(r, warehouse_id, location, specification_id, lot_id, owner_id, quality_state) }},
      sum(r.quantity) as quantity
    from
      reservation r
    where
      r.org_id = :organisation
    group by all
  )
select
  x.warehouse_id::text as warehouse_sn,
  case
    when w.model = 'transit' then '在途'
    else w.name
  end as warehouse_name,
  x.location,
  {{ goods_columns(product_code, product_name, specification_name) }},
  x.specification_id::text as specification_sn,
  s.unit_name,
  o.name as manufacturer_name,
  c.certificate_no,
  fc.name as class_name,
  fc.class_id::text as class_sn,
  {{ columns_of(x, lot_no, production_date, expiry_date) }},
  x.expiry_date - :end_date as days_left,
  x.expiry_band,
  h.name as owner_name,
  (
    select
      v.name
    from
      organisation v
    where
      v.id = y.supplier_id
  ) as supplier_name,
  case
    when x.owner_id = :organisation then 'own'
    else 'consigned'
  end as ownership,
  x.quality_state,
  {{ only_where(x.quantity, w.model <> 'transit') }}::numeric(18, 3) as quantity,
  -- The quantity that may leave: sound goods that are neither expired, recalled nor frozen, outside a store of stopped
  -- goods, less what is set aside, and what is frozen piece by piece now.
  case
    when w.model = 'transit' then null
    when w.type = 2
    or x.quality_state <> 'qualified'
    or x.expiry_date < :end_date
    or lot_is_recalled (:organisation, x.lot_id)
    or lot_is_frozen (:organisation, x.lot_id) then 0
    else greatest(0, x.quantity - coalesce(r.quantity, 0) - {{ part(frozen-of) }})
  end::numeric(18, 3) as available,
  {{ only_where(x.quantity, w.model = 'transit') }}::numeric(18, 3) as in_transit,
  round(x.amount / x.quantity, 4) as price,
  x.amount::numeric(18, 2) as amount
from
  held x
  cross join lateral ({{ part(supplier-of) }}) y {{ store_of(x.warehouse_id) }} {{ product_if_any(x.specification_id) }}
  left join organisation o on o.id = p.manufacturer_id
  left join organisation h on h.id = x.owner_id
  left join registration_certificate c on c.id = s.registration_certificate_id
  left join class_then fc on fc.specification_id = x.specification_id
  left join reserved r on r.warehouse_id = x.warehouse_id
  and r.location is not distinct from x.location
  and r.specification_id = x.specification_id
  and r.lot_id = x.lot_id
  and r.owner_id = x.owner_id
  and r.quality_state = x.quality_state
where
  w.model <> 'consumed'
  and {{ department_scope(w.department_id) }}
  and {{ asked(w.model, :store_model) }}
  and {{ if_asked(:location, x.location like :location || '%') }}
  and {{ named_product(p.name, p.code) }}
  and {{ made_by(o.name, p.brand) }}
  and {{ of_class(:custom_type_sn, x.specification_id, :end_date) }}
  and {{ of_value(p) }}
  and {{ asked(y.supplier_id, :supplier_sn) }}
  and {{ of_lot(x.lot_no, :lot_no) }}
  and {{ narrowed(x, ownership, quality_state, expiry_band) }}
order by
  w.name,
  x.location,
  p.code,
  s.code,
  {{ columns_of(x, expiry_date, lot_id, owner_id, quality_state) }}
