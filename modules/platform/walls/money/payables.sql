select
  o.name as counterparty_name,
  b.counterparty_id::text as counterparty_sn,
  {{ value_where(b.amount, b.account = 'payable_estimated') }}::numeric(18, 2) as estimated,
  {{ value_where(b.amount, b.account = 'payable_invoiced') }}::numeric(18, 2) as invoiced,
  b.amount
from
  account_balance b
  join organisation o on o.id = b.counterparty_id
where
  b.org_id = :organisation
  and b.account in ('payable_estimated', 'payable_invoiced')
