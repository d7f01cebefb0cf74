select
  m.at,
  d.kind as document_kind,
  d.sn as document_sn,
  d.role,
  m.step,
  w.name as warehouse_name,
  m.location,
  p.code as product_code,
  p.name as product_name,
  s.name as specification_name,
  o.name as manufacturer_name,
  l.lot_no,
  k.expiry_date,
  s.unit_name,
  h.name as owner_name,
  m.quality_state,
  case
    when m.quantity > 0 then m.quantity
  end as quantity_in,
  case
    when m.quantity < 0 then - m.quantity
  end as quantity_out,
  case
    when m.owner_id = m.org_id then m.value
    else 0
  end as value
from
  stock_move m
  -- Every move has all of these: joined from the left, the planner expects that none of the moves is lost.
  left join document d on d.org_id = :organisation
  and d.id = m.document_id
  left join warehouse w on w.org_id = :organisation
  and w.id = m.warehouse_id
  left join specification s on s.id = m.specification_id
  left join product p on p.id = s.product_id
  left join organisation o on o.id = p.manufacturer_id
  left join organisation h on h.id = m.owner_id
  left join lot l on l.id = m.lot_id
  left join stock_lot k on k.org_id = :organisation
  and k.lot_id = m.lot_id
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
  and {{ same_specification(m.specification_id, :specification_sn) }}
  and {{ named_product(p.name, p.code) }}
  and {{ made_by(o.name, p.brand) }}
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
