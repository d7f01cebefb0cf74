with
  {{ part(issued-lines) }},
  {{ part(platform/reports/classed, class => :custom_type_sn) }},
  {{ part(platform/reports/finance-class) }}
select
  x.day,
  x.kind as document_kind,
  x.sn as document_sn,
  coalesce(x.red_of_id, x.id) as first_id,
  w.name as warehouse_name,
  x.warehouse_id::text as warehouse_sn,
  coalesce(c.name, e.name, t.name) as receiver_name,
  x.counterparty_id::text as counterparty_sn,
  c.division_name as partner_division,
  coalesce(t.department_id, x.department_id)::text as department_sn,
  {{ goods_columns(product_code, product_name, specification_name) }},
  x.specification_id::text as specification_sn,
  s.unit_name,
  o.name as manufacturer_name,
  v.name as supplier_name,
  coalesce(x.owner_org_id, b.counterparty_id)::text as supplier_sn,
  {{ regime_of(x.is_consigned) }} as regime,
  fc.name as class_name,
  fc.class_id::text as class_sn,
  x.lot_no,
  x.expiry_date,
  array_to_string(x.unit_codes, '、') as codes,
  x.quantity::numeric(18, 3) as quantity,
  case
    when x.price = 0 then round({{ known_cost(x.cost) }} / nullif(x.quantity, 0), 4)
    else x.price
  end as price,
  x.amount::numeric(18, 2) as amount,
  x.cost::numeric(18, 2) as cost,
  (x.untaxed_amount - x.cost)::numeric(18, 2) as profit,
  x.untaxed_amount::numeric(18, 2) as untaxed_amount,
  case
    when not {{ adds(x.kind, granted) }}
    or x.red_of_id is not null then null
    when x.received = 0 then 'waiting'
    when x.received < x.quantity then 'short'
    else 'received'
  end as receipt_state,
  h.name as handler_name,
  x.handler_id::text as handler_sn,
  -- A return counts when it is reviewed: its day's issues may be less than nothing.
  {{ only_where(x.quantity, x.sign = 1) }}::numeric(18, 3) as issued_quantity,
  {{ value_where(x.amount, x.sign = 1) }}::numeric(18, 2) as issued_amount,
  {{ only_where(- x.quantity, x.sign = -1) }}::numeric(18, 3) as returned_quantity,
  {{ value_where(- x.amount, x.sign = -1) }}::numeric(18, 2) as returned_amount,
  case
    when x.is_consigned then 0
    else x.amount
  end::numeric(18, 2) as own_amount,
  {{ value_where(x.amount, x.is_consigned) }}::numeric(18, 2) as consigned_amount,
  g.charge_price,
  round(x.quantity * g.charge_price, 2)::numeric(18, 2) as charge_amount
from
  issued_line x {{ goods(x.specification_id) }} {{ store_if_any(x.warehouse_id) }}
  left join {{ own(warehouse, t, id = x.other_warehouse_id) }}
  left join department e on e.org_id = :organisation
  and e.id = coalesce(t.department_id, x.department_id)
  left join organisation c on c.id = x.counterparty_id
  left join brought b on not x.is_consigned
  and b.lot_id = x.lot_id
  left join organisation v on v.id = coalesce(x.owner_org_id, b.counterparty_id)
  left join {{ own(employee, h, id = x.handler_id) }}
  cross join lateral (
    select
      coalesce(max({{ only_where(y.charge_price, y.is_chargeable) }}), 0) as charge_price,
      coalesce(bool_or(y.is_chargeable), false) as is_chargeable
    from
      hospital_product y
    where
      y.org_id = :organisation
      and y.specification_id = x.specification_id
  ) g {{ class_on(x.day) }}
where
  (
    :issue_type is null
    and (
      :side in ('business', 'granted')
      and {{ feeds(x.kind, granted) }}
      -- Goods shipped on consignment are sold with their settlement.
      or :side = 'business'
      and {{ feeds(x.kind, sold) }}
      and (
        x.regime is distinct from 'consigned'
        or {{ feeds(x.kind, titled) }}
      )
      or :side = 'every'
      and (
        {{ feeds(x.kind, granted, given, otherwise_issued, lost) }}
        or {{ adds(x.kind, moved) }}
        or {{ takes_back(x.kind, purchased) }}
      )
    )
    or x.kind = :issue_type
    or {{ adds(:issue_type, shipped) }}
    and {{ takes_back(x.kind, shipped) }}
    or {{ adds(:issue_type, granted) }}
    and {{ takes_back(x.kind, granted) }}
    or {{ adds(:issue_type, presold) }}
    and {{ takes_back(x.kind, presold) }}
  )
  and (
    :less_returns is true
    or not {{ takes_back(x.kind, granted) }}
  )
  and {{ asked(w.model, :store_model) }}
  and {{ narrowed(x, warehouse_model_inner_sn, counterparty_sn) }}
  and {{ if_asked(:department_inner_sn, coalesce(t.department_id, x.department_id) = :department_inner_sn) }}
  and {{ if_asked(:supplier_sn, coalesce(x.owner_org_id, b.counterparty_id) = :supplier_sn) }}
  and {{ asked(x.handler_id, :handler_inner_sn) }}
  and {{ mine(x.created_by, x.handler_id) }}
  and {{ narrowed(x, regime, document_sn) }}
  and {{ of_lot(x.lot_no, :lot_no) }}
  and {{ of_code(x.unit_codes, :unit_code) }}
  and {{ asked_goods(x.specification_id) }}
  and {{ of_class(:custom_type_sn, x.specification_id, x.day) }}
  and {{ of_value(p) }}
  and {{ asked(p.is_high_value, :is_high_value) }}
  and {{ asked(g.is_chargeable, :is_chargeable) }}
order by
  x.day desc,
  x.sn desc,
  x.line_no
