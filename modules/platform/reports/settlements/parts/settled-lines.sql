-- Lines of settlements that count, on the day that the hospital settled them; a reversal on its own day. With the
-- quantity of each line that was received, and of that what was invoiced and paid: an invoice of the settlement's
-- receipt is an invoice of the settlement.
settled as (
  select
    {{ columns_of(d, id, sn, kind, role, counterparty_id, from_org_id, handler_id) }},
    d.fields ->> 'settlement_type' as settlement_type,
    d.fields ->> 'confirm_state' in ('2', '4') as is_agreed,
    coalesce((d.fields ->> 'settled_on')::date, d.business_date) as settled_on,
    (d.fields ->> 'begin_date')::date as begin_date,
    to_char((d.fields ->> 'end_date')::date, 'YYYY-MM') as settlement_period,
    {{ columns_of(l, line_no, specification_id, lot_no, unit_codes, base_quantity, price, tax_rate, taxed_amount) }},
    l.untaxed_amount,
    l.tax_amount,
    l.source_document_id as use_id,
    (l.fields ->> 'used_on')::date as used_on,
    case
      when d.role = 'own' then (l.fields ->> 'use_department_inner_sn')::bigint
    end as department_id
  from
    document d {{ lines_of(d.id) }}
  where
    d.org_id = :organisation
    and {{ feeds(d.kind, settled) }}
    and is_settled (d.role, d.state, d.fields ->> 'settled_on')
    and coalesce((d.fields ->> 'settled_on')::date, d.business_date) between :begin_date and :end_date
    and {{ asked(d.counterparty_id, :counterparty_sn) }}
    and {{ warehouse_scope(d.warehouse_id) }}
    and {{ author_scope(d.created_by, d.submitted_by) }}
),
received as (
  select
    g.document_id,
    g.line_no,
    g.source_document_id as settlement_id,
    g.source_line_no as settlement_line_no,
    g.taxed_amount
  from
    document_line g
    join {{ own(document, r, id = g.document_id) }}
  where
    g.org_id = :organisation
    and g.source_document_id in {{ column_of(settled, id) }}
    and {{ feeds(r.kind, titled) }}
    and (
      r.state in ('reviewed', 'partial', 'completed', 'reversed')
      -- The supplier's copy says that the hospital received.
      or r.role = 'counterparty'
      and r.state = 'submitted'
    )
),
billable as (
  select distinct
    document_id as id
  from
    received
),
{{ part(platform/reports/invoiced-lines) }},
billed as (
  select
    r.settlement_id,
    r.settlement_line_no,
    sum(r.taxed_amount) as received_amount,
    sum(i.amount) as amount,
    sum(i.paid) as paid,
    string_agg(distinct i.invoice_no, '、') as invoice_no,
    min(i.invoiced_on) as invoiced_on,
    max(i.paid_on) as paid_on
  from
    received r
    left join invoiced_lines i on i.document_id = r.document_id
    and i.line_no = r.line_no
  group by all
)
