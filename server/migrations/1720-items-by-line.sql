-- What a service fee was set off against stood under the fee as well; it stands under the invoice or the opening that
-- the line settles, itself or through an application.
with settled as (
  select e.org_id, e.id, coalesce(a.source_document_id, l.source_document_id) as item_id
  from account_entry e
  join document d on d.org_id = e.org_id and d.id = e.document_id
  join document_line l on l.org_id = e.org_id and l.document_id = coalesce(d.red_of_id, d.id)
    and l.line_no = e.line_no
  join document s on s.org_id = l.org_id and s.id = l.source_document_id
  left join document_line a on s.kind = 'paymentApplication' and a.org_id = l.org_id
    and a.document_id = l.source_document_id and a.line_no = l.source_line_no
  where (d.kind, e.account) in (
    values ('chargeDeduction', 'payable_invoiced'), ('chargeSetOff', 'receivable_invoiced')
  )
)
update account_entry e
set item_id = s.item_id
from settled s
where s.org_id = e.org_id and s.id = e.id and s.item_id is not null;

-- A bill of the platform stood under the hospital's bill of which it was made; it is an item itself.
update account_entry e
set item_id = coalesce(d.red_of_id, d.id)
from document d
where d.org_id = e.org_id and d.id = e.document_id and d.kind = 'serviceCharge'
  and e.item_id <> coalesce(d.red_of_id, d.id);

-- Each line of an opening is an item of its own: entries under one name the line. Entries of an earlier version get
-- theirs here; all others stand under line 0, the document as a whole.
alter table account_entry add column item_line int not null default 0;

with named as (
  select
    e.org_id, e.id,
    case
      when e.item_id = coalesce(d.red_of_id, d.id) then e.line_no
      when l.source_document_id = e.item_id then l.source_line_no
      else a.source_line_no
    end as line_no
  from account_entry e
  join document i on i.org_id = e.org_id and i.id = e.item_id and i.kind in ('openingPayable', 'openingReceivable')
  join document d on d.org_id = e.org_id and d.id = e.document_id
  left join document_line l on l.org_id = e.org_id and l.document_id = coalesce(d.red_of_id, d.id)
    and l.line_no = e.line_no
  left join document_line a on a.org_id = l.org_id and a.document_id = l.source_document_id
    and a.line_no = l.source_line_no
)
update account_entry e
set item_line = n.line_no
from named n
where n.org_id = e.org_id and n.id = e.id and n.line_no is not null;

-- What was booked under one item, an invoice or an advance.
create index account_entry_of_item on account_entry (org_id, item_id) where item_id is not null;
