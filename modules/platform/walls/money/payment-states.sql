-- The parts of an invoice or an opening that are paid, applied for and not paid, and neither: each part counts under
-- its own state. An amount that is set off without an application counts as applied for and paid at once.
select
  p.status,
  p.amount::numeric(18, 2) as amount,
  1 as invoices
from
  open_item i
  left join {{ own(line_progress, a, document_id = i.document_id, line_no = i.line_no, purpose = 'apply') }}
  cross join lateral (
    values
      ('1', i.amount - coalesce(a.taken, 0)),
      ('2', coalesce(a.taken, 0) - i.settled_amount),
      ('3', i.settled_amount)
  ) as p (status, amount)
where
  i.org_id = :organisation
  and i.direction = 'payable'
  and account_movement (i.kind) in ('rounding', 'opening')
  and i.opened_on between :begin_date and :end_date
  and i.amount > 0
  and p.amount <> 0
