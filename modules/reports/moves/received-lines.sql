-- What came into the own stores in the period by the moment of review, a row a line, with returns to suppliers. Goods
-- from outside count once: consigned ones when they are settled, or when they arrive where the reader asks for that.
with
  {{ part(reports/classed, class => :custom_type_sn) }},
  {{ part(reports/finance-class) }},
  arrived as (
    select
      d.id,
      d.kind,
      d.sn,
      d.red_of_id,
      d.regime,
      d.counterparty_id,
      d.handler_id,
      (d.reviewed_at at time zone 'Asia/Shanghai')::date as day,
      case
        when {{ feeds(d.kind, moved_in) }} then coalesce(d.to_warehouse_id, d.warehouse_id)
        else d.warehouse_id
      end as warehouse_id,
      case
        when {{ feeds(d.kind, delivered) }}
        and d.regime = 'consigned' then 'consigned'
        else d.kind
      end as grn_type
    from
      document d
    where
      d.org_id = :organisation
      and {{ counted(d, received) }}
      and {{ during(d.reviewed_at) }}
      and {{ warehouse_scope(d.warehouse_id) }}
      and {{ department_scope(d.department_id) }}
      and {{ author_scope(d.created_by, d.submitted_by) }}
  )
select
  x.day,
  x.kind as document_kind,
  x.sn as document_sn,
  x.grn_type,
  coalesce(x.red_of_id, x.id) as first_id,
  w.name as warehouse_name,
  x.warehouse_id::text as warehouse_sn,
  c.name as counterparty_name,
  x.counterparty_id::text as counterparty_sn,
  c.division_name as partner_division,
  p.code as product_code,
  p.name as product_name,
  s.name as specification_name,
  l.specification_id::text as specification_sn,
  s.unit_name,
  o.name as manufacturer_name,
  fc.name as class_name,
  fc.class_id::text as class_sn,
  case
    when x.regime = 'consigned' then 'consigned'
    else 'purchased'
  end as regime,
  h.name as handler_name,
  l.lot_no,
  l.expiry_date,
  (n.sign * l.base_quantity)::numeric(18, 3) as quantity,
  l.price,
  l.tax_rate,
  (n.sign * l.taxed_amount)::numeric(18, 2) as amount,
  (n.sign * l.untaxed_amount)::numeric(18, 2) as untaxed_amount,
  (n.sign * l.tax_amount)::numeric(18, 2) as tax_amount,
  case
    when n.sign = 1
    and x.red_of_id is null then l.base_quantity
  end::numeric(18, 3) as received_quantity,
  case
    when n.sign = 1
    and x.red_of_id is null then l.taxed_amount
    else 0
  end::numeric(18, 2) as received_amount,
  case
    when n.sign = 1
    and x.red_of_id is not null then - l.taxed_amount
    else 0
  end::numeric(18, 2) as reversed_amount,
  case
    when n.sign = -1 then l.taxed_amount
    else 0
  end::numeric(18, 2) as returned_amount
from
  arrived x
  cross join lateral (
    select
      {{ sign(x.kind, received) }} as sign
  ) n
  join document_line l on l.org_id = :organisation
  and l.document_id = x.id {{ goods(l.specification_id) }}
  left join organisation c on c.id = x.counterparty_id
  left join warehouse w on w.org_id = :organisation
  and w.id = x.warehouse_id
  left join employee h on h.org_id = :organisation
  and h.id = x.handler_id
  left join finance_class fc on fc.specification_id = l.specification_id
  and x.day between fc.valid_from and fc.valid_to
where
  (
    :grn_type is null
    and {{ adds(x.grn_type, purchased) }}
    or x.grn_type = :grn_type
    -- What went back was bought once: returns of consigned goods belong to their arrivals.
    or {{ takes_back(x.kind, received) }}
    and (
      :grn_type is null
      or :grn_type = 'consigned'
      or {{ feeds(:grn_type, delivered) }}
    )
    and (coalesce(l.owner_org_id, :organisation) <> :organisation) = (coalesce(:grn_type, '') = 'consigned')
  )
  and {{ asked(x.warehouse_id, :warehouse_model_inner_sn) }}
  and {{ asked(x.counterparty_id, :counterparty_sn) }}
  and (
    :regime is null
    or (:regime = 'consigned') = (x.regime is not distinct from 'consigned')
  )
  and {{ asked(x.sn, :document_sn) }}
  and {{ same_specification(l.specification_id, :specification_sn) }}
  and {{ named_product(p.name, p.code) }}
  and {{ made_by(o.name, p.brand) }}
  and {{ of_class(:custom_type_sn, l.specification_id, x.day) }}
  and {{ of_value(p) }}
order by
  x.day desc,
  x.sn desc,
  l.line_no
