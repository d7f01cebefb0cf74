select
  d.business_date as day,
  o.name as counterparty_name,
  d.counterparty_id::text as counterparty_sn,
  d.taxed_amount::numeric(18, 2) as amount
from
  document d
  left join organisation o on o.id = d.counterparty_id
where
  d.org_id = :organisation
  and d.kind = :document_kind
  and d.role = 'own'
  and d.state in ('reviewed', 'partial', 'completed', 'reversed')
  and d.business_date between :begin_date and :end_date
  and {{ asked(d.counterparty_id, :counterparty_sn) }}
