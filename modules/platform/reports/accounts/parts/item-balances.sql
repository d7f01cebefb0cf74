-- Items (an invoice, a service fee, a line of an opening) at the end of each day of `asked` (`until`): their amount by
-- then, the part that was paid, received or set off, and the open part.
item as (
  select
    i.until,
    i.counterparty_id,
    i.direction,
    i.item_id as document_id,
    item_opened_on (l.fields, d.fields, d.business_date) as opened_on,
    coalesce(item_due_on (l.fields, d.fields), credit_until (i.direction, d)) as due_date,
    i.open_amount + i.settled as amount,
    i.settled,
    i.open_amount
  from
    (
      select
        x.until,
        e.counterparty_id,
        e.direction,
        e.item_id,
        e.item_line,
        sum(e.amount) as open_amount,
        {{ sum_where(- e.amount, e.movement in ('money', 'offset')) }} as settled
      from
        asked x
        join money_entry e on e.org_id = :organisation
        and e.account in ('payable_invoiced', 'receivable_invoiced')
        and e.at < (x.until + 1)::timestamp at time zone 'Asia/Shanghai'
      where
        :counterparty_sn is null
        or e.counterparty_id = :counterparty_sn
      group by
        x.until,
        e.counterparty_id,
        e.direction,
        e.item_id,
        e.item_line
    ) i {{ document_of(i.item_id) }}
    left join document_line l on l.org_id = :organisation
    and l.document_id = i.item_id
    and l.line_no = i.item_line
  where
    i.open_amount <> 0
)
