-- Items (an invoice, a service fee, a line of an opening) at the end of each day of `asked` (`until`): their amount by
-- then, the part that was paid, received or set off, and the open part.
item as (
  select
    {{ columns_of(i, until, counterparty_id, direction) }},
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
        {{ columns_of(e, counterparty_id, direction, item_id, item_line) }},
        sum(e.amount) as open_amount,
        {{ sum_where(- e.amount, e.movement in ('money', 'offset')) }} as settled
      from
        asked x
        join money_entry e on e.org_id = :organisation
        and e.account in ('payable_invoiced', 'receivable_invoiced')
        and e.at < {{ begin_of(x.until + 1) }}
      where
        :counterparty_sn is null
        or e.counterparty_id = :counterparty_sn
      group by all
    ) i {{ document_of(i.item_id) }}
    left join {{ own(document_line, l, document_id = i.item_id, line_no = i.item_line) }}
  where
    i.open_amount <> 0
)
