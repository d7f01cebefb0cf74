-- What is open of each invoice, each service fee and each line of an opening at the end of each day that is `asked`
-- (`until`): its amount, less what was paid, received or offset of it until then, by the entries of those documents.
settlement as (
  select
    x.until,
    i.id as document_id,
    case
      when i.kind in ('openingReceivable', 'openingPayable') then coalesce(a.source_line_no, l.source_line_no)
      else 0
    end as line_no,
    sum(- e.amount) as settled
  from
    asked x
    join account_entry e on e.at < (x.until + 1)::timestamp at time zone 'Asia/Shanghai'
    join document d on d.org_id = e.org_id
    and d.id = e.document_id
    and account_movement (d.kind) in ('money', 'offset')
    join document_line l on l.org_id = e.org_id
    and l.document_id = coalesce(d.red_of_id, d.id)
    and l.line_no = e.line_no
    left join document_line a on d.kind = 'payment'
    and a.org_id = l.org_id
    and a.document_id = l.source_document_id
    and a.line_no = l.source_line_no
    -- A deduction settles an invoice by one of its entries, and the service fee that the line names by the other.
    left join document b on e.account = case d.kind
      when 'chargeDeduction' then 'receivable_invoiced'
      when 'chargeSetOff' then 'payable_invoiced'
    end
    and b.org_id = e.org_id
    and b.kind = 'serviceCharge'
    and b.counterparty_id = e.counterparty_id
    and b.sn = l.fields ->> 'charge_sn'
    and b.role = case d.kind
      when 'chargeDeduction' then 'own'
      else 'counterparty'
    end
    join document i on i.org_id = e.org_id
    and i.id = coalesce(b.id, a.source_document_id, l.source_document_id)
  where
    e.org_id = :organisation
    and e.account in ('payable_invoiced', 'receivable_invoiced')
    and (
      :counterparty_sn is null
      or e.counterparty_id = :counterparty_sn
    )
  group by
    1,
    2,
    3
),
item as (
  select
    x.until,
    i.counterparty_id,
    i.direction,
    i.document_id,
    i.document_no,
    i.opened_on,
    i.due_date,
    i.amount,
    coalesce(s.settled, 0) as settled,
    i.amount - coalesce(s.settled, 0) as open_amount
  from
    asked x
    cross join open_item i
    left join settlement s on s.until = x.until
    and s.document_id = i.document_id
    and s.line_no = i.line_no
  where
    i.org_id = :organisation
    and i.booked_at < (x.until + 1)::timestamp at time zone 'Asia/Shanghai'
    and (
      :counterparty_sn is null
      or i.counterparty_id = :counterparty_sn
    )
)
