-- The amounts of the lines of `billable` documents that were invoiced and paid, and when. Payments and set-offs name
-- the lines of an invoice, so that the paid amount of each line is known to the cent.
invoice_line as materialized (
  select
    x.source_document_id as billable_id,
    x.source_line_no as billable_line_no,
    x.document_id,
    x.taxed_amount,
    paid_for_goods (coalesce(g.taken, 0), x.taxed_amount, x.rounding) as paid,
    v.fields ->> 'invoice_no' as invoice_no,
    coalesce((v.fields ->> 'invoice_date')::date, v.business_date) as invoiced_on
  from
    billable b
    join {{ own(document_line, x, source_document_id = b.id) }}
    join {{ own(document, v, id = x.document_id) }}
    left join {{ own(line_progress, g, document_id = x.document_id, line_no = x.line_no, purpose = 'pay') }}
  where
    account_movement (v.kind) = 'rounding'
    and v.role = 'own'
    and v.state in ('reviewed', 'partial', 'completed', 'reversed')
),
paid_invoice as materialized (
  select
    e.item_id,
    max(e.business_date) as paid_on
  from
    (
      select
        document_id
      from
        invoice_line
      where
        paid <> 0
      group by all
    ) i
    join {{ own(money_entry, e, item_id = i.document_id) }}
  where
    e.movement in ('money', 'offset')
  group by all
),
invoiced_lines as materialized (
  select
    x.billable_id as document_id,
    x.billable_line_no as line_no,
    sum(x.taxed_amount) as amount,
    string_agg(distinct x.invoice_no, '、') as invoice_no,
    sum(x.paid) as paid,
    min(x.invoiced_on) as invoiced_on,
    max(y.paid_on) as paid_on
  from
    invoice_line x
    left join paid_invoice y on y.item_id = x.document_id
  group by all
)
