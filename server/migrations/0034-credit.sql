-- What each customer uses of its credit: receivables, and what reviewed orders will add once they are shipped.
create view credit_use with (security_invoker = true) as
select u.org_id, u.counterparty_id, sum(u.amount)::numeric(18,2) as used
  from (
    select a.org_id, a.counterparty_id, a.amount from account_balance a where a.account in ('receivable_unbilled', 'receivable_invoiced')
    union all
    select d.org_id, d.counterparty_id, l.taxed_amount * (1 - least(1, coalesce(p.taken, 0) / nullif(l.base_quantity, 0)))
      from document d
      join document_line l on l.org_id = d.org_id and l.document_id = d.id
      left join line_progress p on p.org_id = l.org_id and p.document_id = l.document_id and p.line_no = l.line_no and p.purpose = 'ship'
     where d.kind = 'salesOrder' and d.role = 'own' and d.state in ('reviewed', 'partial')) u
 group by u.org_id, u.counterparty_id;
grant select on credit_use to :app_role;
