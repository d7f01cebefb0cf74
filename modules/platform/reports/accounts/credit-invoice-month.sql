-- From the entries under invoices, by the day of posting; what was owed before the program is part of the opening.
-- Each entry counts in one column: money, what was set off, what reversed, and everything else as booked. A review that
-- was taken back in the month counts against what it booked, with its tax.
with
  span as (
    select
      (:period || '-01')::date as first_day,
      ((:period || '-01')::date + interval '1 month' - interval '1 day')::date as last_day
  ),
  entry as (
    select
      {{ columns_of(e, counterparty_id, amount, document_id) }},
      case
        when e.movement = 'opening'
        or e.at < {{ begin_of(x.first_day) }} then 'before'
        when e.movement in ('money', 'offset') then e.movement
        when e.is_red then 'red'
        else 'booked'
      end as side
    from
      span x
      join {{ own(money_entry, e, account = 'payable_invoiced') }}
      and e.at < {{ begin_of(x.last_day + 1) }}
    where
      :counterparty_sn is null
      or e.counterparty_id = :counterparty_sn
  ),
  figure as (
    select
      counterparty_id,
      sum(amount * (side = 'before')::int) as opening,
      sum(amount * (side = 'booked')::int) as booked,
      sum(- amount * (side = 'red')::int) as reversed,
      sum(- amount * (side = 'money')::int) as paid,
      sum(- amount * (side = 'offset')::int) as offset_amount,
      sum(amount) as closing
    from
      entry
    group by all
  ),
  booked as (
    select
      e.counterparty_id,
      sum(sign(e.amount))::int as invoices,
      sum(sign(e.amount) * abs(d.tax_amount)) as tax_amount
    from
      (
        select
          counterparty_id,
          document_id,
          sum(amount) as amount
        from
          entry
        where
          side = 'booked'
        group by all
        having
          sum(amount) <> 0
      ) e {{ document_of(e.document_id) }}
    group by all
  ),
  asked as (
    select
      last_day as until
    from
      span
    union all
    select
      first_day - 1
    from
      span
  ),
  {{ part(item-balances) }},
  counted as (
    select
      i.counterparty_id,
      {{ filtered(count(*), i.until = x.last_day) }}::int as after,
      {{ filtered(count(*), i.until < x.first_day) }}::int as before,
      sum(
        i.open_amount * coalesce(
          i.until = x.last_day
          -- In the running month an item is overdue if it fell due before today.
          and i.due_date < least(x.last_day, (now() at time zone 'Asia/Shanghai')::date),
          false
        )::int
      ) as overdue
    from
      item i
      cross join span x
    where
      i.direction = 'payable'
    group by all
  )
select
  o.code as counterparty_code,
  o.name as counterparty_name,
  f.opening::numeric(18, 2) as opening_amount,
  coalesce(c.before, 0) as opening_count,
  coalesce(b.invoices, 0) as booked_count,
  (f.booked - coalesce(b.tax_amount, 0))::numeric(18, 2) as booked_untaxed,
  coalesce(b.tax_amount, 0)::numeric(18, 2) as booked_tax,
  f.booked::numeric(18, 2) as booked_amount,
  f.reversed::numeric(18, 2) as reversed_amount,
  f.paid::numeric(18, 2) as paid_amount,
  f.offset_amount::numeric(18, 2) as offset_amount,
  f.closing::numeric(18, 2) as closing_amount,
  coalesce(c.after, 0) as closing_count,
  coalesce(c.overdue, 0)::numeric(18, 2) as overdue_amount,
  f.counterparty_id::text as counterparty_sn
from
  figure f
  join organisation o on o.id = f.counterparty_id
  left join booked b on b.counterparty_id = f.counterparty_id
  left join counted c on c.counterparty_id = f.counterparty_id
where
  f.opening <> 0
  or f.booked <> 0
  or f.reversed <> 0
  or f.paid <> 0
  or f.offset_amount <> 0
  or f.closing <> 0
order by
  f.closing desc,
  o.name
