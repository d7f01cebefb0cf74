-- What of the lines of `billable` documents was invoiced and paid, and when: money on an invoice is paid in the share
-- in which the invoice is. Paid by an application, as hospitals do, or received by a receipt.
invoice_line as materialized (
  select
    x.source_document_id as billable_id,
    x.source_line_no as billable_line_no,
    x.document_id,
    x.line_no,
    x.taxed_amount,
    round(x.taxed_amount * least(1, coalesce(g.taken, 0) / nullif(v.taxed_amount + v.rounding, 0)), 2) as paid,
    v.fields ->> 'invoice_no' as invoice_no,
    coalesce((v.fields ->> 'invoice_date')::date, v.business_date) as invoiced_on
  from
    billable b
    join document_line x on x.org_id = :organisation
    and x.source_document_id = b.id
    join document v on v.org_id = :organisation
    and v.id = x.document_id
    left join line_progress g on g.org_id = :organisation
    and g.document_id = v.id
    and g.line_no = 0
    and g.purpose = 'pay'
  where
    v.kind in ('inboundInvoice', 'outboundInvoice')
    and v.role = 'own'
    and v.state in ('reviewed', 'partial', 'completed', 'reversed')
),
paid_line as materialized (
  select
    a.source_document_id as invoice_id,
    a.source_line_no as invoice_line_no,
    max(p.business_date) as paid_on
  from
    (
      select distinct
        document_id
      from
        invoice_line
    ) i
    join document_line a on a.org_id = :organisation
    and a.source_document_id = i.document_id
    left join document_line q on q.org_id = :organisation
    and q.source_document_id = a.document_id
    and q.source_line_no = a.line_no
    join document p on p.org_id = :organisation
    and (
      p.id = q.document_id
      and p.kind = 'payment'
      or p.id = a.document_id
      and p.kind = 'receipt'
    )
  where
    p.role = 'own'
    and p.state in ('reviewed', 'partial', 'completed')
  group by
    a.source_document_id,
    a.source_line_no
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
    left join paid_line y on y.invoice_id = x.document_id
    and y.invoice_line_no = x.line_no
  group by
    x.billable_id,
    x.billable_line_no
)
