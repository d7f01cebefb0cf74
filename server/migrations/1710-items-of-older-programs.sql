-- Versions run side by side while an installation is renewed: the one before 1660 books entries without their item and
-- keeps no rest of advances. The database names the item as 1660 did for the entries of that time, and keeps the rest.
-- Where no item is found, or the advance is not that large, the entry is refused as before.
create function entry_item(p_org bigint, p_account text, p_document bigint, p_line int) returns bigint
language sql stable as $$
with opens (kind, account) as (
  values ('inboundInvoice', 'payable_invoiced'), ('outboundInvoice', 'receivable_invoiced'),
    ('openingPayable', 'payable_invoiced'), ('openingReceivable', 'receivable_invoiced'),
    ('serviceCharge', 'receivable_invoiced'), ('serviceCharge', 'payable_invoiced'),
    ('prepayment', 'prepaid'), ('prereceipt', 'prereceived'), ('receipt', 'prereceived')
)
select
  coalesce(
    (
      select min(e.item_id)
      from account_entry e
      where e.org_id = p_org
        and e.document_id in (d.id, d.red_of_id)
        and e.line_no = p_line
        and e.account = p_account
      having count(distinct e.item_id) = 1
    ),
    (
      select min(t.id)
      from document t
      join opens o on o.kind = t.kind and o.account = p_account
      where t.org_id = p_org
        and t.sn = coalesce(l.fields->>'advance_sn', l.fields->>'charge_sn')
        and t.kind in ('prepayment', 'prereceipt', 'serviceCharge')
        and (t.role = 'own' or t.from_org_id = d.counterparty_id)
      having count(*) = 1
    ),
    (
      select s.id
      from document s
      join opens o on o.kind = s.kind and o.account = p_account
      where s.org_id = l.org_id and s.id = l.source_document_id
    ),
    (
      select s.id
      from document_line b
      join document s on s.org_id = b.org_id and s.id = b.source_document_id
      join opens o on o.kind = s.kind and o.account = p_account
      where b.org_id = l.org_id and b.document_id = l.source_document_id and b.line_no = l.source_line_no
    ),
    (select coalesce(d.red_of_id, d.id) from opens o where o.kind = d.kind and o.account = p_account)
  )
from document d
left join document_line l on l.org_id = d.org_id and l.document_id = d.id and l.line_no = p_line
where d.org_id = p_org and d.id = p_document
$$;

create function name_entry_item() returns trigger
language plpgsql as $$
begin
  new.item_id := entry_item(new.org_id, new.account, new.document_id, new.line_no);
  if new.item_id is not null and new.account in ('prepaid', 'prereceived') then
    insert into advance_balance as b (org_id, document_id, amount)
    values (new.org_id, new.item_id, 0)
    on conflict do nothing;
    update advance_balance b
    set amount = b.amount + new.amount
    where b.org_id = new.org_id and b.document_id = new.item_id;
    delete from advance_balance b
    where b.org_id = new.org_id and b.document_id = new.item_id and b.amount = 0;
  end if;
  return new;
end
$$;

create trigger account_entry_item_of_older_programs before insert on account_entry for each row
when (
  new.item_id is null and new.account in ('prepaid', 'prereceived', 'payable_invoiced', 'receivable_invoiced')
)
execute function name_entry_item();
