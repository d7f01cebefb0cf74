-- Only reviewed payments go to the bank; a transfer that failed once is not sent again by the same file.
select
  row_number() over (
    order by
      l.line_no
  )::int as place,
  d.fields ->> 'pay_account' as pay_account,
  l.fields ->> 'payee_name' as payee_name,
  l.fields ->> 'payee_account' as payee_account,
  l.fields ->> 'payee_bank' as payee_bank,
  l.taxed_amount::numeric(18, 2) as amount,
  '人民币' as currency,
  '货款' as purpose,
  l.fields ->> 'payment_no' as payment_no,
  'payment' as document_kind
from
  document d
  join document_line l on l.org_id = d.org_id
  and l.document_id = d.id
  and l.fields ->> 'transfer_result' = 'waiting'
where
  d.org_id = :organisation
  and d.kind = 'paymentBatch'
  and d.role = 'own'
  and d.state in ('reviewed', 'completed')
  and d.sn = :batch_no
order by
  l.line_no
