-- Invoices of :invoice_kind with the goods that they cover, of one :handler if one is given. The products of an invoice
-- are listed by the document behind them, the newest first. The 尾差 is on the line that carries it.
select
  v.sn,
  v.fields ->> 'invoice_no' as invoice_no,
  v.fields ->> 'invoice_type' as invoice_type,
  (v.fields ->> 'invoice_date')::date as invoice_date,
  o.name as counterparty_name,
  l.source_sn,
  p.name as product_name,
  s.name as specification_name,
  l.lot_no,
  coalesce(u.name, s.unit_name) as unit_name,
  {{ columns_of(l, quantity, price, tax_rate, untaxed_amount, tax_amount, taxed_amount) }},
  coalesce(
    (
      select
        sum(e.amount)
      from
        account_entry e
      where
        e.org_id = :organisation
        and e.document_id = v.id
        and e.line_no = l.line_no
        and e.account = 'rounding'
    ),
    0
  )::numeric(18, 2) as rounding,
  paid_for_goods (coalesce(g.taken, 0), l.taxed_amount, l.rounding)::numeric(18, 2) as paid_amount,
  y.pay_state,
  e.name as handler_name,
  {{ when_grouped(:grouped_by_month, left(v.fields ->> 'invoice_date', 7)) }} as month
from
  document v
  join document_line l on l.org_id = v.org_id
  and l.document_id = v.id {{ product_of(l.specification_id) }}
  left join pack_unit u on u.id = l.unit_id {{ progress_of(g, pay) }}
  left join organisation o on o.id = v.counterparty_id
  left join {{ own(employee, e, id = v.handler_id) }}
  cross join lateral (
    select
      {{ derived_state(v, pay_state) }} as pay_state
  ) y
where
  v.org_id = :organisation
  and l.org_id = :organisation
  and v.kind = :invoice_kind
  and v.role = 'own'
  and v.state in ('reviewed', 'partial', 'completed')
  and {{ department_scope(v.department_id) }}
  and {{ asked(v.counterparty_id, :counterparty_sn) }}
  and {{ if_asked(:invoice_no, v.fields ->> 'invoice_no' like '%' || :invoice_no || '%') }}
  and (
    :begin_date is null
    or v.fields ->> 'invoice_date' >= to_char(:begin_date, 'YYYY-MM-DD')
  )
  and (
    :end_date is null
    or v.fields ->> 'invoice_date' <= to_char(:end_date, 'YYYY-MM-DD')
  )
  and {{ if_asked(:invoice_type, v.fields ->> 'invoice_type' = :invoice_type) }}
  and {{ asked(l.source_sn, :source_sn) }}
  and {{ asked(l.specification_id, :specification_sn) }}
  and {{ of_lot(l.lot_no, :lot_no) }}
  and {{ asked(y.pay_state, :pay_state) }}
  and {{ asked(v.handler_id, :handler) }}
  and (
    (
      :begin_paper_date is null
      and :end_paper_date is null
    )
    or exists (
      select
        1
      from
        document b
      where
        b.org_id = :organisation
        and b.id = l.source_document_id
        and {{ from(b.business_date, :begin_paper_date) }}
        and {{ until(b.business_date, :end_paper_date) }}
    )
  )
order by
  v.id desc,
  l.source_sn desc,
  l.line_no
