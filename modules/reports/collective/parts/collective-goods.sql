-- Goods that won a volume-based procurement: what was agreed, for which days, and until when the report looks.
won as (
  select
    h.specification_id,
    s.name as specification_name,
    s.unit_name,
    s.registration_certificate_id,
    p.code as product_code,
    p.name as product_name,
    o.name as manufacturer_name,
    h.collective_batch,
    h.collective_from,
    h.collective_to,
    h.collective_price,
    h.agreed_quantity,
    h.supplier_id,
    least(:end_date, h.collective_to) as until,
    (
      select
        y.custom_type_id
      from
        typed_product y
      where
        y.org_id = :organisation
        and y.tree = 'purchase'
        and y.specification_id = h.specification_id
        and y.valid_to is null
    ) as leaf_id
  from
    hospital_product h
    join specification s on s.id = h.specification_id
    join product p on p.id = s.product_id
    join organisation o on o.id = p.manufacturer_id
  where
    h.org_id = :organisation
    and h.collective_batch is not null
    and h.agreed_quantity > 0
    and h.collective_from <= :end_date
    and h.collective_to is not null
    and (
      :batch is null
      or h.collective_batch like '%' || :batch || '%'
    )
    and (
      :agreed_on is null
      or :agreed_on between h.collective_from and h.collective_to
    )
    and (
      :supplier_sn is null
      or h.supplier_id = :supplier_sn
    )
    and {{ same_specification(h.specification_id, :specification_sn) }}
    and {{ named_product(p.name, p.code) }}
    and {{ made_by(o.name, p.brand) }}
),
-- Bought, on consignment or not, less what went back.
bought as (
  select
    w.specification_id,
    d.sn,
    d.business_date,
    l.price,
    case d.kind
      when 'purchaseReturn' then - l.base_quantity
      else l.base_quantity
    end as quantity
  from
    won w
    join document_line l on l.org_id = :organisation
    and l.specification_id = w.specification_id
    join document d on d.org_id = :organisation
    and d.id = l.document_id
  where
    d.kind in ('purchaseGrn', 'purchaseReturn')
    and d.role = 'own'
    and d.state in ('reviewed', 'partial', 'completed', 'stopped', 'reversed')
    and {{ warehouse_scope(d.warehouse_id) }}
    and {{ department_scope(d.department_id) }}
    and {{ author_scope(d.created_by, d.submitted_by) }}
    and d.business_date between w.collective_from and w.until
),
-- Used of these goods, and of others of the same leaf of the procurement classes that won nothing.
spent as (
  select
    w.specification_id,
    d.department_id,
    d.business_date,
    l.specification_id = w.specification_id as is_won,
    l.base_quantity as quantity
  from
    won w
    join lateral (
      select
        w.specification_id as id
      union
      select
        y.specification_id
      from
        typed_product y
      where
        y.org_id = :organisation
        and y.tree = 'purchase'
        and y.custom_type_id = w.leaf_id
        and y.valid_to is null
        and not exists (
          select
            1
          from
            hospital_product o
          where
            o.org_id = :organisation
            and o.specification_id = y.specification_id
            and o.collective_batch is not null
        )
    ) g on true
    join document_line l on l.org_id = :organisation
    and l.specification_id = g.id
    join document d on d.org_id = :organisation
    and d.id = l.document_id
  where
    d.kind in ('departmentUse', 'surgeryUse')
    and d.role = 'own'
    and d.state in ('reviewed', 'partial', 'completed', 'reversed')
    and {{ warehouse_scope(d.warehouse_id) }}
    and {{ department_scope(d.department_id) }}
    and {{ author_scope(d.created_by, d.submitted_by) }}
    and d.business_date between w.collective_from and w.until
    and (
      :department_inner_sn is null
      or d.department_id = :department_inner_sn
    )
)
