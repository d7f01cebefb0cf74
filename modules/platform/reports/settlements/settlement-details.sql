with
  {{ part(platform/reports/classed, class => :custom_type_sn) }},
  {{ part(platform/reports/finance-class) }},
  {{ part(settled-lines) }}
select
  x.settlement_period,
  x.sn as document_sn,
  x.kind as document_kind,
  x.role,
  x.id as settlement_id,
  x.settled_on,
  c.name as counterparty_name,
  x.counterparty_id::text as counterparty_sn,
  e.name as department_name,
  x.department_id::text as department_sn,
  h.name as handler_name,
  x.handler_id::text as handler_sn,
  {{ goods_columns(product_code, product_name, specification_name) }},
  x.specification_id::text as specification_sn,
  s.unit_name,
  o.name as manufacturer_name,
  fc.name as class_name,
  fc.class_id::text as class_sn,
  x.lot_no,
  array_to_string(x.unit_codes, '、') as codes,
  x.used_on,
  u.sn as use_sn,
  u.kind as use_kind,
  x.base_quantity::numeric(18, 3) as quantity,
  x.price,
  x.tax_rate,
  x.taxed_amount::numeric(18, 2) as amount,
  x.untaxed_amount::numeric(18, 2) as untaxed_amount,
  x.tax_amount::numeric(18, 2) as tax_amount,
  b.invoice_no,
  {{ share_of(b.amount, x.taxed_amount) }} as invoice_state,
  {{ share_of(b.paid, x.taxed_amount) }} as payment_state,
  coalesce(b.amount, 0)::numeric(18, 2) as invoiced_amount,
  (x.taxed_amount - coalesce(b.amount, 0))::numeric(18, 2) as uninvoiced_amount,
  coalesce(b.paid, 0)::numeric(18, 2) as paid_amount,
  -- 未付款 is the amount that was invoiced and not paid; amounts that were not invoiced are left out.
  (coalesce(b.amount, 0) - coalesce(b.paid, 0))::numeric(18, 2) as unpaid_amount,
  {{ value_class_of(p) }} as value_class,
  {{ value_where(x.taxed_amount, not p.is_reagent and p.is_high_value) }}::numeric(18, 2) as high_amount,
  {{ value_where(x.taxed_amount, not p.is_reagent and not p.is_high_value) }}::numeric(18, 2) as low_amount,
  {{ value_where(x.taxed_amount, p.is_reagent) }}::numeric(18, 2) as reagent_amount,
  -- Days weigh by the money that took them; what has not come as far has no part in them.
  {{ only_where(x.taxed_amount * (x.settled_on - x.used_on), x.used_on is not null) }} as use_days,
  {{ only_where(x.taxed_amount, x.used_on is not null) }} as use_weight,
  {{ only_where(b.amount * (b.invoiced_on - x.settled_on), b.invoiced_on is not null) }} as invoice_days,
  {{ only_where(b.amount, b.invoiced_on is not null) }} as invoice_weight,
  {{ only_where(b.paid * (b.paid_on - b.invoiced_on), b.paid_on is not null) }} as payment_days,
  {{ only_where(b.paid, b.paid_on is not null) }} as payment_weight
from
  settled x {{ goods(x.specification_id) }}
  join organisation c on c.id = x.counterparty_id
  left join billed b on b.settlement_id = x.id
  and b.settlement_line_no = x.line_no
  left join document u on u.org_id = :organisation
  and u.id = x.use_id {{ department_if_any(x.department_id) }}
  left join employee h on h.org_id = :organisation
  and h.id = x.handler_id {{ class_on(x.settled_on) }}
where
  {{ narrowed(x, settlement_period, document_sn) }}
  and {{ department_scope(x.department_id) }}
  and {{ asked(x.department_id, :department_inner_sn) }}
  and {{ asked_goods(x.specification_id) }}
  and {{ of_class(:custom_type_sn, x.specification_id, x.settled_on) }}
  and {{ of_lot(x.lot_no, :lot_no) }}
  and {{ of_code(x.unit_codes, :unit_code) }}
  and {{ of_value(p) }}
  and (
    :invoice_state is null
    or :invoice_state = {{ share_of(b.amount, x.taxed_amount) }}
  )
  and (
    :payment_state is null
    or :payment_state = {{ share_of(b.paid, x.taxed_amount) }}
  )
  and {{ asked(x.handler_id, :handler_inner_sn) }}
order by
  x.settled_on desc,
  x.sn desc,
  x.line_no
