-- Days overdue are counted to the day of the list; an item due on that day or later is not due.
with
  asked as (
    select
      :end_date::date as until
  ),
  {{ part(item-balances) }},
  summed as (
    select
      counterparty_id,
      count(*)::int as invoice_count,
      min(opened_on) as first_day,
      sum(amount) as amount,
      sum(settled) as settled,
      sum(open_amount) as open_amount,
      sum(open_amount * coalesce(until - due_date between 1 and 30, false)::int) as days_30,
      sum(open_amount * coalesce(until - due_date between 31 and 90, false)::int) as days_90,
      sum(open_amount * coalesce(until - due_date between 91 and 180, false)::int) as days_180,
      sum(open_amount * coalesce(until - due_date > 180, false)::int) as days_more
    from
      item
    where
      direction = 'payable'
    group by all
  ),
  advance as (
    select
      counterparty_id,
      sum(amount) as amount
    from
      account_entry
    where
      org_id = :organisation
      and account = 'prepaid'
      and {{ asked(counterparty_id, :counterparty_sn) }}
      and at < {{ begin_of(:end_date::date + 1) }}
    group by all
    having
      sum(amount) <> 0
  )
select
  o.code as counterparty_code,
  o.name as counterparty_name,
  coalesce(s.invoice_count, 0) as invoice_count,
  coalesce(s.amount, 0)::numeric(18, 2) as invoice_amount,
  coalesce(s.settled, 0)::numeric(18, 2) as paid_amount,
  coalesce(s.open_amount, 0)::numeric(18, 2) as open_amount,
  coalesce(s.open_amount - s.days_30 - s.days_90 - s.days_180 - s.days_more, 0)::numeric(18, 2) as not_due_amount,
  coalesce(s.days_30, 0)::numeric(18, 2) as overdue_30,
  coalesce(s.days_90, 0)::numeric(18, 2) as overdue_90,
  coalesce(s.days_180, 0)::numeric(18, 2) as overdue_180,
  coalesce(s.days_more, 0)::numeric(18, 2) as overdue_more,
  coalesce(a.amount, 0)::numeric(18, 2) as advance_amount,
  (coalesce(s.open_amount, 0) - coalesce(a.amount, 0))::numeric(18, 2) as net_amount,
  r.payment_days,
  s.first_day,
  o.id::text as counterparty_sn
from
  summed s
  full join advance a on a.counterparty_id = s.counterparty_id
  join organisation o on o.id = coalesce(s.counterparty_id, a.counterparty_id)
  left join lateral (
    select
      max(r.payment_days)::int as payment_days
    from
      org_relation r
    where
      r.org_id = :organisation
      and r.partner_id = o.id
  ) r on true
where
  :overdue is null
  or s.days_30 + s.days_90 + s.days_180 + s.days_more > 0
order by
  open_amount desc,
  o.name
