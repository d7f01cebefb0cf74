-- Goods that came into the own stores in the period by the moment of review, a row a line, with returns to suppliers.
-- Goods from outside count once: consigned ones when they are settled, or when they arrive if the reader asks for that.
with
  {{ part(platform/reports/classed, class => :custom_type_sn) }},
  {{ part(platform/reports/finance-class) }},
  arrived as (
    select
      {{ columns_of(d, id, kind, sn, red_of_id, regime, counterparty_id, handler_id) }},
      {{ day_of(d.reviewed_at) }} as day,
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
      {{ columns_of(l, line_no, specification_id, lot_no, expiry_date, owner_org_id, price, tax_rate) }},
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
      {{ columns_of(d, id, kind, sn, red_of_id, regime, counterparty_id, handler_id) }},
      {{ day_of(r.at) }},
      d.warehouse_id,
      d.kind,
      {{ columns_of(l, line_no, specification_id, lot_no, expiry_date, owner_org_id, price, tax_rate) }},
      -1,
      {{ columns_of(r, quantity, untaxed_amount, tax_amount, taxed_amount) }}
    from
      refused_return r {{ document_of(r.document_id) }}
      join {{ own(document_line, l, document_id = r.document_id, line_no = r.line_no) }}
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
  {{ only_where(coalesce(x.red_of_id, x.id), x.sign = 1) }} as first_id,
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
  {{ only_where(x.quantity, x.sign = 1 and x.red_of_id is null) }}::numeric(18, 3) as received_quantity,
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
  and {{ narrowed(x, warehouse_model_inner_sn, counterparty_sn) }}
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
