-- From the entries under invoices, by the day of posting; what was owed before the program is part of the opening.
-- A review that was taken back in the month counts against what it booked.
with
  span as (
    select
      (:period || '-01')::date as first_day,
      ((:period || '-01')::date + interval '1 month' - interval '1 day')::date as last_day
  ),
  entry as (
    select
      e.counterparty_id,
      e.amount,
      e.document_id,
      d.kind,
      d.red_of_id is not null
      or coalesce(d.fields ->> 'is_red', 'false') = 'true' as is_red,
      d.kind = 'openingPayable'
      or e.at < x.first_day::timestamp at time zone 'Asia/Shanghai' as is_before
    from
      span x
      join account_entry e on e.org_id = :organisation
      and e.account = 'payable_invoiced'
      and e.at < (x.last_day + 1)::timestamp at time zone 'Asia/Shanghai'
      and (
        :counterparty_sn is null
        or e.counterparty_id = :counterparty_sn
      )
      join document d on d.org_id = e.org_id
      and d.id = e.document_id
  ),
  figure as (
    select
      counterparty_id,
      coalesce(
        sum(amount) filter (
          where
            is_before
        ),
        0
      ) as opening,
      coalesce(
        sum(amount) filter (
          where
            not is_before
            and not is_red
            and kind not in ('payment', 'prepaymentOffset', 'prepaymentTransfer')
        ),
        0
      ) as booked,
      coalesce(
        sum(- amount) filter (
          where
            not is_before
            and is_red
            and kind not in ('payment', 'prepaymentOffset', 'prepaymentTransfer')
        ),
        0
      ) as reversed,
      coalesce(
        sum(- amount) filter (
          where
            not is_before
            and kind = 'payment'
        ),
        0
      ) as paid,
      coalesce(
        sum(- amount) filter (
          where
            not is_before
            and kind in ('prepaymentOffset', 'prepaymentTransfer')
        ),
        0
      ) as offset_amount,
      sum(amount) as closing
    from
      entry
    group by
      counterparty_id
  ),
  booked as (
    select
      e.counterparty_id,
      count(*)::int as invoices,
      sum(d.tax_amount) as tax_amount
    from
      (
        select
          document_id,
          counterparty_id
        from
          entry
        where
          not is_before
          and not is_red
          and kind = 'inboundInvoice'
        group by
          document_id,
          counterparty_id
        having
          sum(amount) <> 0
      ) e
      join document d on d.org_id = :organisation
      and d.id = e.document_id
    group by
      e.counterparty_id
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
      count(*) filter (
        where
          i.until = x.last_day
          and i.open_amount > 0
      )::int as after,
      count(*) filter (
        where
          i.until < x.first_day
          and i.open_amount > 0
      )::int as before,
      coalesce(
        sum(i.open_amount) filter (
          where
            i.until = x.last_day
            and i.due_date < x.last_day
        ),
        0
      ) as overdue
    from
      item i
      cross join span x
    where
      i.direction = 'payable'
    group by
      i.counterparty_id
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
