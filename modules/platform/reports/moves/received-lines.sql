-- Goods that came into the own stores in the period by the moment of review, a row a line, with returns to suppliers.
-- Goods from outside count once: consigned ones when they are settled, or when they arrive if the reader asks for that.
with
  {{ part(platform/reports/classed, class => :custom_type_sn) }},
  {{ part(platform/reports/finance-class) }},
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
      and {{ document_scope(d) }}
  ),
  came as (
    select
      x.*,
      l.line_no,
      l.specification_id,
      l.lot_no,
      l.expiry_date,
      l.owner_org_id,
      l.price,
      l.tax_rate,
      n.sign,
      n.sign * l.base_quantity as quantity,
      n.sign * l.untaxed_amount as untaxed_amount,
      n.sign * l.tax_amount as tax_amount,
      n.sign * l.taxed_amount as amount
    from
      arrived x
      cross join lateral (
        select
          {{ sign(x.kind, received) }} as sign
      ) n {{ lines_of(x.id) }}
    union all
    -- Goods of a return that the supplier refused are in stock again.
    select
      d.id,
      d.kind,
      d.sn,
      d.red_of_id,
      d.regime,
      d.counterparty_id,
      d.handler_id,
      (r.at at time zone 'Asia/Shanghai')::date,
      d.warehouse_id,
      d.kind,
      l.line_no,
      l.specification_id,
      l.lot_no,
      l.expiry_date,
      l.owner_org_id,
      l.price,
      l.tax_rate,
      -1,
      r.quantity,
      r.untaxed_amount,
      r.tax_amount,
      r.taxed_amount
    from
      refused_return r {{ document_of(r.document_id) }}
      join document_line l on l.org_id = :organisation
      and l.document_id = r.document_id
      and l.line_no = r.line_no
    where
      r.org_id = :organisation
      and {{ counted(d, received) }}
      and {{ during(r.at) }}
      and {{ document_scope(d) }}
  )
select
  x.day,
  x.kind as document_kind,
  x.sn as document_sn,
  x.grn_type,
  -- A return is not counted as a document of receipt.
  case
    when x.sign = 1 then coalesce(x.red_of_id, x.id)
  end as first_id,
  w.name as warehouse_name,
  x.warehouse_id::text as warehouse_sn,
  c.name as counterparty_name,
  x.counterparty_id::text as counterparty_sn,
  c.division_name as partner_division,
  {{ goods_columns(product_code, product_name, specification_name) }},
  x.specification_id::text as specification_sn,
  s.unit_name,
  o.name as manufacturer_name,
  fc.name as class_name,
  fc.class_id::text as class_sn,
  case
    when x.regime = 'consigned' then 'consigned'
    else 'purchased'
  end as regime,
  h.name as handler_name,
  x.lot_no,
  x.expiry_date,
  x.quantity::numeric(18, 3) as quantity,
  x.price,
  x.tax_rate,
  x.amount::numeric(18, 2) as amount,
  x.untaxed_amount::numeric(18, 2) as untaxed_amount,
  x.tax_amount::numeric(18, 2) as tax_amount,
  case
    when x.sign = 1
    and x.red_of_id is null then x.quantity
  end::numeric(18, 3) as received_quantity,
  {{ value_where(x.amount, x.sign = 1 and x.red_of_id is null) }}::numeric(18, 2) as received_amount,
  {{ value_where(- x.amount, x.sign = 1 and x.red_of_id is not null) }}::numeric(18, 2) as reversed_amount,
  {{ value_where(- x.amount, x.sign = -1) }}::numeric(18, 2) as returned_amount
from
  came x {{ goods(x.specification_id) }}
  left join organisation c on c.id = x.counterparty_id {{ store_if_any(x.warehouse_id) }}
  left join employee h on h.org_id = :organisation
  and h.id = x.handler_id {{ class_on(x.day) }}
where
  (
    :grn_type is null
    and {{ adds(x.grn_type, purchased) }}
    or x.grn_type = :grn_type
    -- Returned goods were bought once: returns of consigned goods belong to their arrivals.
    or {{ takes_back(x.kind, received) }}
    and (
      :grn_type is null
      or :grn_type = 'consigned'
      or {{ feeds(:grn_type, delivered) }}
    )
    and (coalesce(x.owner_org_id, :organisation) <> :organisation) = (coalesce(:grn_type, '') = 'consigned')
  )
  and {{ asked(x.warehouse_id, :warehouse_model_inner_sn) }}
  and {{ asked(x.counterparty_id, :counterparty_sn) }}
  and (
    :regime is null
    or (:regime = 'consigned') = (x.regime is not distinct from 'consigned')
  )
  and {{ asked(x.sn, :document_sn) }}
  and {{ asked_goods(x.specification_id) }}
  and {{ of_class(:custom_type_sn, x.specification_id, x.day) }}
  and {{ of_value(p) }}
order by
  x.day desc,
  x.sn desc,
  x.line_no
