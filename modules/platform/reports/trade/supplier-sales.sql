-- Purchases from suppliers: receipts of bought goods and settlements of consigned ones, less returns of owned goods. A
-- receipt of consigned goods is no purchase.
with
  {{ part(platform/reports/received-lines) }},
  {{ part(platform/reports/classed, class => :custom_type_sn) }},
  {{ part(platform/reports/finance-class) }},
  bought as (
    select
      x.*,
      {{ day_of(x.at) }} as bought_on,
      case
        when {{ feeds(x.kind, titled) }} then 'consigned'
        else 'purchased'
      end as regime
    from
      priced x
    where
      x.owes
  )
select
  x.bought_on,
  x.kind as document_kind,
  x.sn as document_sn,
  x.id as document_id,
  c.name as counterparty_name,
  x.counterparty_id::text as counterparty_sn,
  w.name as warehouse_name,
  x.warehouse_id::text as warehouse_sn,
  e.name as department_name,
  x.regime,
  {{ goods_columns(product_code, product_name, specification_name) }},
  x.specification_id::text as specification_sn,
  s.unit_name,
  o.name as manufacturer_name,
  fc.name as class_name,
  fc.class_id::text as class_sn,
  p.is_high_value,
  r.certificate_no,
  x.lot_no,
  x.expiry_date,
  x.quantity::numeric(18, 3) as quantity,
  x.price,
  x.tax_rate,
  x.taxed_amount::numeric(18, 2) as amount,
  x.untaxed_amount::numeric(18, 2) as untaxed_amount,
  x.tax_amount::numeric(18, 2) as tax_amount,
  x.invoice_no,
  x.invoice_state,
  case
    when {{ feeds(x.kind, delivered) }} then x.quantity
  end::numeric(18, 3) as purchased_quantity,
  case
    when {{ feeds(x.kind, delivered) }} then x.taxed_amount
    else 0
  end::numeric(18, 2) as purchased_amount,
  case
    when {{ feeds(x.kind, titled) }} then x.quantity
  end::numeric(18, 3) as settled_quantity,
  case
    when {{ feeds(x.kind, titled) }} then x.taxed_amount
    else 0
  end::numeric(18, 2) as settled_amount,
  case
    when {{ takes_back(x.kind, purchased) }} then - x.quantity
  end::numeric(18, 3) as returned_quantity,
  case
    when {{ takes_back(x.kind, purchased) }} then - x.taxed_amount
    else 0
  end::numeric(18, 2) as returned_amount
from
  bought x {{ goods(x.specification_id) }}
  join organisation c on c.id = x.counterparty_id
  left join registration_certificate r on r.id = s.registration_certificate_id
  left join {{ own(warehouse, w, id = x.warehouse_id) }}
  -- Settled goods were used in a department, which the line of their settlement names.
  left join document_line t on t.org_id = :organisation
  and {{ feeds(x.kind, titled) }}
  and t.document_id = x.source_document_id
  and t.line_no = x.source_line_no
  left join department e on e.org_id = :organisation
  and e.id = (t.fields ->> 'use_department_inner_sn')::bigint
  left join hospital_product h on h.org_id = :organisation
  and h.specification_id = x.specification_id {{ class_on(x.bought_on) }}
where
  {{ narrowed(x, counterparty_sn, warehouse_model_inner_sn, document_kind) }}
  and {{ asked(x.regime, :regime) }}
  and {{ asked(x.sn, :document_sn) }}
  and {{ asked_goods(x.specification_id) }}
  and {{ of_class(:custom_type_sn, x.specification_id, x.bought_on) }}
  and {{ of_value(p) }}
  and {{ asked(p.is_high_value, :is_high_value) }}
  and (
    :is_collective is null
    or :is_collective = (
      h.collective_batch is not null
      and x.bought_on >= coalesce(h.collective_from, '-infinity'::date)
      and x.bought_on <= coalesce(h.collective_to, 'infinity'::date)
    )
  )
  and {{ of_lot(x.lot_no, :lot_no) }}
  and {{ narrowed(x, invoice_no, invoice_state) }}
order by
  x.bought_on desc,
  x.sn desc,
  x.line_no
