with
  {{ part(inbound-lines) }}
select
  c.name as counterparty_name,
  x.sn as document_sn,
  x.kind as document_kind,
  case
    when x.red_of_id is null then ''
    else '红冲'
  end || document_title (x.kind) as paper_name,
  x.at,
  to_char(x.at at time zone 'Asia/Shanghai', 'YYYY-MM') as month,
  w.name as warehouse_name,
  {{ columns_of(x, finance_class, product_code, product_name, specification_name, manufacturer_name, lot_no) }},
  x.unit_name,
  x.quantity::numeric(18, 3) as quantity,
  round(x.untaxed_amount / nullif(x.quantity, 0), 4) as untaxed_price,
  x.tax_rate,
  x.untaxed_amount::numeric(18, 2) as untaxed_amount,
  x.tax_amount::numeric(18, 2) as tax_amount,
  x.taxed_amount::numeric(18, 2) as taxed_amount,
  x.billed::numeric(18, 2) as billed,
  x.estimated::numeric(18, 2) as estimated,
  x.invoice_no,
  x.invoice_state,
  u.name as reviewed_by_name
from
  chosen x
  left join organisation c on c.id = x.counterparty_id {{ store_if_any(x.warehouse_id) }}
  left join app_user u on u.id = x.reviewed_by
order by
  x.at desc,
  x.sn,
  x.line_no
