-- Sales to hospitals: deliveries of own goods, goods of operations, consigned goods with their settlement, less
-- returns. A consigned delivery is no sale.
with
  {{ part(platform/reports/sold-lines) }},
  {{ part(platform/reports/classed, class => :custom_type_sn) }},
  {{ part(platform/reports/finance-class) }},
  sale as (
    select
      x.*,
      {{ day_of(x.at) }} as sold_on,
      c.name as counterparty_name,
      c.division_name,
      case
        when x.billed = 0 then 'none'
        when x.billed = x.taxed_amount then 'whole'
        else 'part'
      end as invoice_state,
      case
        when x.received = 0 then 'none'
        when x.received = x.taxed_amount then 'whole'
        else 'part'
      end as collection_state
    from
      sold x
      join organisation c on c.id = x.counterparty_id
    where
      c.system_type = 1
  )
select
  x.sold_on,
  x.kind as document_kind,
  x.sn as document_sn,
  x.id as document_id,
  x.counterparty_name,
  x.counterparty_id::text as counterparty_sn,
  x.division_name,
  {{ goods_columns(product_code, product_name, specification_name) }},
  x.specification_id::text as specification_sn,
  s.unit_name,
  o.name as manufacturer_name,
  fc.name as class_name,
  r.certificate_no,
  x.lot_no,
  x.expiry_date,
  array_to_string(x.unit_codes, '、') as codes,
  x.quantity::numeric(18, 3) as quantity,
  x.price,
  x.tax_rate,
  x.taxed_amount::numeric(18, 2) as amount,
  x.untaxed_amount::numeric(18, 2) as untaxed_amount,
  x.tax_amount::numeric(18, 2) as tax_amount,
  x.cost::numeric(18, 2) as cost,
  round(x.cost / nullif(x.quantity, 0), 4) as cost_price,
  (x.untaxed_amount - x.cost)::numeric(18, 2) as profit,
  e.name as handler_name,
  x.handler_id::text as handler_sn,
  {{ columns_of(x, invoice_no, invoice_state, collection_state) }},
  case
    when not {{ takes_back(x.kind, sold) }} then x.quantity
  end::numeric(18, 3) as sold_quantity,
  case
    when not {{ takes_back(x.kind, sold) }} then x.taxed_amount
    else 0
  end::numeric(18, 2) as sold_amount,
  case
    when {{ takes_back(x.kind, sold) }} then - x.quantity
  end::numeric(18, 3) as returned_quantity,
  case
    when {{ takes_back(x.kind, sold) }} then - x.taxed_amount
    else 0
  end::numeric(18, 2) as returned_amount,
  x.billed::numeric(18, 2) as billed,
  x.received::numeric(18, 2) as received,
  (x.taxed_amount - x.received)::numeric(18, 2) as uncollected
from
  sale x {{ goods(x.specification_id) }}
  left join registration_certificate r on r.id = s.registration_certificate_id
  left join employee e on e.org_id = :organisation
  and e.id = x.handler_id {{ class_on(x.sold_on) }}
where
  {{ asked(x.counterparty_id, :counterparty_sn) }}
  and {{ contains(x.division_name, :division) }}
  and {{ narrowed(x, document_kind, document_sn) }}
  and {{ asked_goods(x.specification_id) }}
  and {{ of_class(:custom_type_sn, x.specification_id, x.sold_on) }}
  and {{ of_lot(x.lot_no, :lot_no) }}
  and {{ narrowed(x, unit_code, handler_inner_sn, invoice_state, collection_state) }}
order by
  x.sold_on desc,
  x.sn desc,
  x.line_no
