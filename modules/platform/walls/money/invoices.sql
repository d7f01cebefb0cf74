-- The entries of invoices in the account, by the day of posting.
select
  {{ day_of(e.at) }} as day,
  o.name as counterparty_name,
  e.counterparty_id::text as counterparty_sn,
  e.amount::numeric(18, 2) as amount
from
  money_entry e
  join organisation o on o.id = e.counterparty_id
where
  e.org_id = :organisation
  and e.direction = :direction
  and e.item_id is not null
  and e.movement = 'rounding'
  and {{ during(e.at) }}
  and {{ asked(e.counterparty_id, :counterparty_sn) }}
