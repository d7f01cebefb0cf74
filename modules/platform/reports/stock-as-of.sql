with
  {{ part(held-then) }},
  {{ part(classed, class => :custom_type_sn) }},
  counted as (
    select
      {{ columns_of(m, warehouse_id, specification_id, lot_id, owner_id, quality_state) }},
      sum(m.quantity) as quantity,
      sum({{ value_where(m.value, m.owner_id = :organisation) }}) as value
    from
      held_then m
    where
      {{ warehouse_scope(m.warehouse_id) }}
      and {{ narrowed(m, warehouse_model_inner_sn, specification_sn, owner_org_sn) }}
      and (
        :lot_no is null
        or m.lot_id in (
          select
            x.id
          from
            lots_named (:lot_no) x
        )
      )
      and {{ of_owner(m.owner_id) }}
    group by all
    having
      sum(m.quantity) <> 0
  ),
  bought_lot as (
    select
      x.lot_id
    from
      counted x
    where
      x.owner_id <> :organisation
  ),
  {{ part(brought) }}
select
  :end_date as day,
  case
    when w.model = 'transit' then '在途'
    else w.name
  end as warehouse_name,
  {{ goods_columns(product_code, product_name, specification_name) }},
  c.certificate_no as registration_no,
  o.name as manufacturer_name,
  l.lot_no,
  k.expiry_date,
  s.unit_name,
  x.quantity::numeric(18, 3) as quantity,
  {{ only_where(round(x.value / x.quantity, 4), h.id = :organisation) }} as cost_price,
  {{ only_where(x.value::numeric(18, 2), h.id = :organisation) }} as value,
  case
    when h.id = :organisation then x.value
    else round(x.quantity * coalesce(g.price, 0), 2)
  end::numeric(18, 2) as goods_value,
  case
    when w.model = 'transit' then 'transit'
    when w.model in ('ward', 'cabinet') then 'ward'
    else 'central'
  end as store_class,
  h.name as owner_name,
  case
    when h.id = :organisation then 'own'
    else 'consigned'
  end as ownership,
  x.quality_state,
  x.specification_id::text as specification_sn,
  (:end_date - 364)::text as flow_from,
  y.name as class_name
from
  counted x {{ store_of(x.warehouse_id) }} {{ product_if_any(x.specification_id) }}
  left join organisation o on o.id = p.manufacturer_id
  left join organisation h on h.id = x.owner_id
  left join lot l on l.id = x.lot_id
  left join {{ own(stock_lot, k, lot_id = x.lot_id) }}
  left join brought g on g.lot_id = x.lot_id
  left join registration_certificate c on c.id = s.registration_certificate_id
  left join typed_product t on :grouped_by_class_name
  and t.org_id = :organisation
  and t.tree = 'own'
  and t.specification_id = x.specification_id
  and :end_date between t.valid_from and coalesce(t.valid_to, 'infinity'::date)
  left join custom_type y on :grouped_by_class_name
  and y.org_id = :organisation
  and y.id = t.custom_type_id
where
  w.model <> 'consumed'
  and {{ department_scope(w.department_id) }}
  and {{ named_product(p.name, p.code) }}
  and {{ made_by(o.name, p.brand) }}
  and (
    :store_class is null
    or :store_class = case
      when w.model = 'transit' then 'transit'
      when w.model in ('ward', 'cabinet') then 'ward'
      else 'central'
    end
  )
  and {{ asked(p.is_high_value, :is_high_value) }}
  and {{ of_class(:custom_type_sn, x.specification_id, :end_date) }}
order by
  p.code,
  s.code,
  k.expiry_date,
  l.lot_no,
  w.name,
  {{ columns_of(x, warehouse_id, lot_id, owner_id, quality_state) }}
