select
  m.at,
  d.kind as document_kind,
  d.sn as document_sn,
  d.role,
  m.step,
  w.name as warehouse_name,
  m.location,
  {{ goods_columns(product_code, product_name, specification_name, manufacturer_name) }},
  l.lot_no,
  k.expiry_date,
  s.unit_name,
  h.name as owner_name,
  m.quality_state,
  {{ only_where(m.quantity, m.quantity > 0) }} as quantity_in,
  {{ only_where(- m.quantity, m.quantity < 0) }} as quantity_out,
  {{ value_where(m.value, m.owner_id = m.org_id) }} as value
from
  stock_move m
  -- Every move has all of these: joined from the left, the planner expects that none of the moves is lost.
  left join document d on d.org_id = :organisation
  and d.id = m.document_id {{ store_if_any(m.warehouse_id) }} {{ product_if_any(m.specification_id) }}
  left join organisation o on o.id = p.manufacturer_id
  left join organisation h on h.id = m.owner_id
  left join lot l on l.id = m.lot_id
  left join {{ own(stock_lot, k, lot_id = m.lot_id) }}
where
  m.org_id = :organisation
  and m.warehouse_id <> all (
    array(
      select
        id
      from
        warehouse
      where
        org_id = :organisation
        and model = 'consumed'
    )
  )
  and {{ during(m.at) }}
  and {{ asked(m.warehouse_id, :warehouse_model_inner_sn) }}
  and {{ warehouse_scope(m.warehouse_id) }}
  and {{ department_scope(w.department_id) }}
  and {{ asked_goods(m.specification_id) }}
  and (
    :lot_no is null
    or m.lot_id in (
      select
        x.id
      from
        lots_named (:lot_no) x
    )
  )
  and {{ asked(d.sn, :document_sn) }}
order by
  m.at desc,
  m.id desc
