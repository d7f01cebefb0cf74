select
  o.name as counterparty_name,
  i.counterparty_id::text as counterparty_sn,
  case
    when i.age_days <= 30 then 'month'
    when i.age_days <= 60 then 'two'
    when i.age_days <= 90 then 'quarter'
    when i.age_days <= 180 then 'half'
    else 'older'
  end as age,
  i.open_amount as amount,
  1 as invoices
from
  open_item i
  join organisation o on o.id = i.counterparty_id
where
  i.org_id = :organisation
  and i.direction = 'payable'
  and i.settle_state = 'open'
