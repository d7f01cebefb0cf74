select
  case
    when coalesce(p.taken, 0) >= d.taxed_amount + d.rounding then '3'
    when coalesce(a.taken, 0) > 0 then '2'
    else '1'
  end as status,
  (d.taxed_amount + d.rounding)::numeric(18, 2) as amount,
  1 as invoices
from
  document d
  left join line_progress p on p.org_id = :organisation
  and p.document_id = d.id
  and p.line_no = 0
  and p.purpose = 'pay'
  left join line_progress a on a.org_id = :organisation
  and a.document_id = d.id
  and a.line_no = 0
  and a.purpose = 'apply'
where
  d.org_id = :organisation
  and d.kind = 'inboundInvoice'
  and d.role = 'own'
  and d.state in ('reviewed', 'partial', 'completed')
  and d.taxed_amount > 0
  and d.business_date between :begin_date and :end_date
