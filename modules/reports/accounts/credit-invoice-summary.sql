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
    group by
      counterparty_id
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
      and at < (:end_date::date + 1)::timestamp at time zone 'Asia/Shanghai'
    group by
      counterparty_id
  )
select
  o.code as counterparty_code,
  o.name as counterparty_name,
  s.invoice_count,
  s.amount::numeric(18, 2) as invoice_amount,
  s.settled::numeric(18, 2) as paid_amount,
  s.open_amount::numeric(18, 2) as open_amount,
  (s.open_amount - s.days_30 - s.days_90 - s.days_180 - s.days_more)::numeric(18, 2) as not_due_amount,
  s.days_30::numeric(18, 2) as overdue_30,
  s.days_90::numeric(18, 2) as overdue_90,
  s.days_180::numeric(18, 2) as overdue_180,
  s.days_more::numeric(18, 2) as overdue_more,
  coalesce(a.amount, 0)::numeric(18, 2) as advance_amount,
  (s.open_amount - coalesce(a.amount, 0))::numeric(18, 2) as net_amount,
  r.payment_days,
  s.first_day,
  s.counterparty_id::text as counterparty_sn
from
  summed s
  join organisation o on o.id = s.counterparty_id
  left join advance a on a.counterparty_id = s.counterparty_id
  left join lateral (
    select
      max(r.payment_days)::int as payment_days
    from
      org_relation r
    where
      r.org_id = :organisation
      and r.partner_id = s.counterparty_id
  ) r on true
where
  :overdue is null
  or s.days_30 + s.days_90 + s.days_180 + s.days_more > 0
order by
  s.open_amount desc,
  o.name
