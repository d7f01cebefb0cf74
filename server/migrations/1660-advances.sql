-- Each entry on an account of open items names the document that opened the item: an invoice, an opening, a service
-- fee, an advance. Entries of an earlier version get theirs here; those for which none is found stay as they are, and
-- `npm run ledger:check` lists them.
alter table account_entry add column item_id bigint;

with opens (kind, account) as (
  values ('inboundInvoice', 'payable_invoiced'), ('outboundInvoice', 'receivable_invoiced'),
    ('openingPayable', 'payable_invoiced'), ('openingReceivable', 'receivable_invoiced'),
    ('serviceCharge', 'receivable_invoiced'), ('serviceCharge', 'payable_invoiced'),
    ('prepayment', 'prepaid'), ('prereceipt', 'prereceived'), ('receipt', 'prereceived')
),
named as (
  select
    e.org_id, e.id,
    coalesce(
      (
        select t.id
        from document t
        join opens o on o.kind = t.kind and o.account = e.account
        where t.org_id = e.org_id
          and t.sn = coalesce(l.fields->>'advance_sn', l.fields->>'charge_sn')
          and t.kind in ('prepayment', 'prereceipt', 'serviceCharge')
          and (t.role = 'own' or t.from_org_id = d.counterparty_id)
        order by t.id
        limit 1
      ),
      (
        select s.id
        from document s
        join opens o on o.kind = s.kind and o.account = e.account
        where s.org_id = l.org_id and s.id = l.source_document_id
      ),
      (
        select s.id
        from document_line b
        join document s on s.org_id = b.org_id and s.id = b.source_document_id
        join opens o on o.kind = s.kind and o.account = e.account
        where b.org_id = l.org_id and b.document_id = l.source_document_id and b.line_no = l.source_line_no
      ),
      (select coalesce(d.red_of_id, d.id) from opens o where o.kind = d.kind and o.account = e.account)
    ) as item_id
  from account_entry e
  join document d on d.org_id = e.org_id and d.id = e.document_id
  left join document_line l on l.org_id = e.org_id and l.document_id = e.document_id and l.line_no = e.line_no
  where e.account in ('prepaid', 'prereceived', 'payable_invoiced', 'receivable_invoiced')
)
update account_entry e
set item_id = n.item_id
from named n
where n.org_id = e.org_id and n.id = e.id and n.item_id is not null;

-- The rest of a receipt that became a prereceipt moved from one item to another; it was not booked so far.
insert into account_entry (org_id, counterparty_id, account, amount, document_id, line_no, item_id, business_date, at)
select
  d.org_id, d.counterparty_id, 'prereceived', l.taxed_amount * side.sign, d.id, l.line_no,
  case side.sign when 1 then t.id else l.source_document_id end, d.business_date, d.reviewed_at
from document d
join document_line l on l.org_id = d.org_id and l.document_id = d.id
join document t on t.org_id = d.org_id
  and t.kind = 'prereceipt'
  and t.role = 'own'
  and t.sn = l.fields->>'advance_sn'
cross join (values (-1), (1)) side(sign)
where d.kind = 'prereceiptTransfer'
  and d.fields->>'origin' = 'receipt'
  and d.state = 'reviewed'
  and d.red_of_id is null
  and l.taxed_amount <> 0;

alter table account_entry
add constraint account_entry_item check (
  account not in ('prepaid', 'prereceived', 'payable_invoiced', 'receivable_invoiced')
  or item_id is not null
) not valid;

-- The rest of each advance: the sum of the entries under it. Like the balance of a partner it is never below
-- zero. Those that an earlier version let fall below stay where they are (`lowest`) until they are mended, and fall
-- no further.
create table advance_balance (
  org_id bigint not null,
  document_id bigint not null,
  amount numeric(18,2) not null,
  lowest numeric(18,2) not null default 0,
  constraint advance_balance_pk primary key (org_id, document_id),
  constraint advance_balance_document foreign key (org_id, document_id) references document (org_id, id),
  constraint advance_balance_lowest check (lowest <= 0),
  constraint advance_balance_never_negative check (amount >= lowest)
);
call isolate_by_organisation('advance_balance');
grant select, insert, update, delete on advance_balance to :app_role;

insert into advance_balance (org_id, document_id, amount, lowest)
select org_id, item_id, sum(amount), least(sum(amount), 0)
from account_entry
where account in ('prepaid', 'prereceived') and item_id is not null
group by org_id, item_id
having sum(amount) <> 0;

alter table account_balance add column lowest numeric(18,2) not null default 0;
update account_balance
set lowest = amount
where account in ('prepaid', 'prereceived') and amount < 0;
alter table account_balance add constraint account_balance_lowest check (lowest <= 0);
alter table account_balance
add constraint account_balance_advance_never_negative check (
  account not in ('prepaid', 'prereceived') or amount >= lowest
);
