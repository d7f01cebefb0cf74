-- Money between organisations, an entry a row, with its document's effect on the balance and the item to which it
-- belongs: an invoice or a service fee as a whole, a line of an opening; null on other accounts. Amounts include tax,
-- in the sign of the account. Debts from before the program belong to the opening, whenever they were entered.
create view money_entry with (security_invoker = true) as
select
  e.org_id, e.id, e.counterparty_id, e.account,
  case
    when e.account like 'payable%' then 'payable'
    when e.account like 'receivable%' then 'receivable'
  end as direction,
  e.amount, e.at, e.business_date, e.undo_of, e.document_id, d.kind, d.red_of_id, account_movement(d.kind) as movement,
  -- A red invoice over returned goods is a document of its own.
  d.red_of_id is not null or coalesce(d.fields->>'is_red', 'false') = 'true' as is_red,
  case when e.account in ('payable_invoiced', 'receivable_invoiced') then e.item_id end as item_id, e.item_line,
  e.line_no
from account_entry e
join document d on d.org_id = e.org_id and d.id = e.document_id;
grant select on money_entry to :app_role;

-- Returned goods that the supplier did not take back, a row a line on the day on which that became known: they came
-- home and are owed again. Base units; amounts are the share of the line, with and without tax.
create view refused_return with (security_invoker = true) as
select
  m.org_id, m.document_id, m.document_kind as kind, m.line_no, m.at, m.quantity, x.untaxed_amount,
  x.taxed_amount - x.untaxed_amount as tax_amount, x.taxed_amount
from stock_move m
join document_line l on l.org_id = m.org_id and l.document_id = m.document_id and l.line_no = m.line_no
cross join lateral (
  select
    round(l.untaxed_amount * m.quantity / l.base_quantity, 2) as untaxed_amount,
    round(l.taxed_amount * m.quantity / l.base_quantity, 2) as taxed_amount
) x
where m.step = 'arrive_reject'
  and m.quantity > 0
  and m.document_kind = any(refusable_kinds())
  and account_movement(m.document_kind) = 'return';
grant select on refused_return to :app_role;

-- Whether a settlement counts: from its review on. The supplier's copy has the day on which the hospital reviewed it.
create function is_settled(role text, state text, settled_on text) returns boolean language sql immutable
return case role
  when 'own' then state in ('reviewed', 'partial', 'completed', 'stopped', 'reversed')
  else state <> 'cancelled' and settled_on is not null
end;

-- The part of the payment of an invoice line that is for its goods: the line with the 尾差 was paid together with it. All
-- parts add up to the payment of the invoice, less its 尾差.
create function paid_for_goods(paid numeric, taxed_amount numeric, rounding numeric) returns numeric
  language sql immutable
return case when paid = taxed_amount + rounding then taxed_amount else paid end;

-- The days of an item, by the fields of its line (of an opening) and of its document: when it arose, when it is due.
create function item_opened_on(line jsonb, head jsonb, business_date date) returns date language sql stable
return coalesce((line->>'opened_on')::date, (head->>'invoice_date')::date, business_date);

create function item_due_on(line jsonb, head jsonb) returns date language sql stable
return (coalesce(line, head)->>'due_date')::date;

-- The day until which a customer may pay an invoice of ours: the customer's credit days after its review; without any
-- it is never overdue. A red invoice is due with the blue one that it takes back.
create function credit_until(p_direction text, d document) returns date language sql stable
return case when p_direction = 'receivable' and account_movement(d.kind) = 'rounding' then (
  coalesce(
    (
      select b.reviewed_at
      from document b
      where d.fields->>'blue_invoice_no' is not null
        and b.org_id = d.org_id
        and b.kind = d.kind
        and b.role = 'own'
        and b.state not in ('cancelled', 'deleted')
        and b.fields->>'invoice_no' = d.fields->>'blue_invoice_no'
      order by b.id
      limit 1
    ), d.reviewed_at
  ) at time zone 'Asia/Shanghai'
)::date + (
  select nullif(max(r.payment_days), 0)
  from org_relation r
  where r.org_id = d.org_id and r.partner_id = d.counterparty_id and r.status = 'enabled'
) end;

-- 未结项: entries that raised the balance with a partner and are settled item by item, each with the sum of the entries
-- under it. Amounts are in the sign of the item: a red invoice, a credit of the partner are negative. A reversed part
-- is not in the amount, and a wholly reversed document is no item. `unapplied_amount`: the part of an opening that was
-- not applied for.
create view open_item with (security_invoker = true) as
select
  i.org_id, i.item_id * 100000 + i.item_line as id, i.direction, i.counterparty_id, d.kind, d.id as document_id,
  d.sn as document_no, i.item_line as line_no, o.invoice_no, o.opened_on, o.due_date,
  l.fields->>'summary_text' as summary_text, i.amount, i.settled_amount,
  (i.amount - i.settled_amount)::numeric(18,2) as open_amount,
  (i.amount - greatest(coalesce(a.taken, 0), i.settled_amount))::numeric(18,2) as unapplied_amount,
  case when i.amount = i.settled_amount then 'settled' else 'open' end as settle_state,
  greatest(coalesce(n.today - o.due_date, 0), 0) as overdue_days, n.today - o.opened_on as age_days
from (
  select
    e.org_id, e.item_id, e.item_line, e.direction, e.counterparty_id,
    coalesce(sum(e.amount) filter (where e.movement not in ('money', 'offset')), 0)::numeric(18,2) as amount,
    coalesce(sum(-e.amount) filter (where e.movement in ('money', 'offset')), 0)::numeric(18,2) as settled_amount
  from money_entry e
  where e.item_id is not null
  group by e.org_id, e.item_id, e.item_line, e.direction, e.counterparty_id
) i
join document d on d.org_id = i.org_id and d.id = i.item_id
left join document_line l on l.org_id = i.org_id and l.document_id = i.item_id and l.line_no = i.item_line
left join line_progress a on i.item_line > 0
  and a.org_id = i.org_id
  and a.document_id = i.item_id
  and a.line_no = i.item_line
  and a.purpose = 'apply'
cross join lateral (
  select
    coalesce(l.fields, d.fields)->>'invoice_no' as invoice_no,
    item_opened_on(l.fields, d.fields, d.business_date) as opened_on,
    coalesce(item_due_on(l.fields, d.fields), credit_until(i.direction, d)) as due_date
) o
cross join lateral (select (posting_now() at time zone 'Asia/Shanghai')::date as today) n
where i.amount <> 0 or i.settled_amount <> 0;
grant select on open_item to :app_role;

-- 预收余额, 预付余额: money in advance by the document that brought it: an advance itself, or the part of a receipt that is
-- matched to no invoice. Money that was turned into an advance counts as far as its transfer filled it. Yuan; the rest
-- is the balance of the partner.
create view advance_item with (security_invoker = true) as
select
  i.org_id, i.document_id as id, i.side, i.counterparty_id, i.kind, i.document_no, i.order_no, i.paid_on, i.amount,
  i.used_amount, i.refunded_amount, (i.amount - i.used_amount - i.refunded_amount)::numeric(18,2) as left_amount,
  case when i.amount = i.used_amount + i.refunded_amount then 'used' else 'left' end as left_state
from (
  select
    d.org_id, d.id as document_id, case d.kind when 'prepayment' then 'prepaid' else 'prereceived' end as side,
    d.counterparty_id, d.kind, d.sn as document_no, d.fields->>'order_sn' as order_no,
    coalesce((d.fields->>'paid_on')::date, d.business_date) as paid_on,
    (
      case
        when d.kind = 'prepayment' or coalesce(d.fields->>'turned_from', '') <> '' then p.paid
        else d.taxed_amount + coalesce(
          (
            select sum(m.taxed_amount)
            from document m
            where m.org_id = d.org_id and m.red_of_id = d.id and m.state not in ('draft', 'cancelled', 'deleted')
          ), 0
        )
      end
    )::numeric(18,2) as amount,
    p.used::numeric(18,2) as used_amount, p.refunded::numeric(18,2) as refunded_amount
  from document d
  cross join lateral (
    select
      coalesce(sum(g.taken) filter (where g.purpose = 'pay'), 0) as paid,
      coalesce(sum(g.taken) filter (where g.purpose = 'offset'), 0) as used,
      coalesce(sum(g.taken) filter (where g.purpose = 'refund'), 0) as refunded
    from line_progress g
    where g.org_id = d.org_id and g.document_id = d.id and g.line_no = 0
  ) p
  where d.kind in ('prepayment', 'prereceipt')
    and d.role = 'own'
    and d.red_of_id is null
    and d.state in ('reviewed', 'partial', 'completed')
    and (d.kind = 'prereceipt' or p.paid <> 0)
  union all
  select
    d.org_id, d.id, 'prereceived', d.counterparty_id, d.kind, d.sn, null,
    coalesce((d.fields->>'paid_on')::date, d.business_date), l.amount,
    coalesce(
      (
        select g.taken
        from line_progress g
        where g.org_id = d.org_id and g.document_id = d.id and g.line_no = 0 and g.purpose = 'offset'
      ), 0
    )::numeric(18,2), 0
  from document d
  cross join lateral (
    select
      (
        sum(x.taxed_amount) + coalesce(
          sum(
            (
              select sum(r.taxed_amount)
              from document m
              join document_line r on r.org_id = m.org_id and r.document_id = m.id and r.line_no = x.line_no
              where m.org_id = d.org_id and m.red_of_id = d.id and m.state not in ('draft', 'cancelled', 'deleted')
            )
          ), 0
        )
      )::numeric(18,2) as amount
    from document_line x
    where x.org_id = d.org_id and x.document_id = d.id and x.source_line_no is null
  ) l
  where d.kind = any(adding('collected'))
    and d.role = 'own'
    and d.red_of_id is null
    and d.state in ('reviewed', 'partial', 'completed')
    and l.amount <> 0
) i;
grant select on advance_item to :app_role;

-- The worth of an order line in figures, with quantities in base units: the whole amount; of a stopped order only the
-- part that came or left (`taken`), of a stopped line the part that was not stopped. The version before says nothing of
-- stopped lines.
create function ordered_worth(
  state text, amount numeric, base_quantity numeric, taken numeric, stopped numeric default null
) returns numeric
  language sql immutable
return case
  when state = 'stopped' then round(amount * least(coalesce(taken, 0) / nullif(base_quantity, 0), 1), 2)
  when stopped > 0 then round(amount * (1 - stopped / nullif(base_quantity, 0)), 2)
  else amount
end;

-- How an organisation closes a month while things of a category are open: refuse, warn or off.
create function close_control(p_org bigint, p_rule text)
returns text language sql stable as $$
  select coalesce(
    (
      select case when r.status = 'enabled' then r.control else 'off' end
      from hospital_rule r
      where r.org_id = p_org
        and r.name = p_rule
        and r.warehouse_id is null
        and r.department_id is null
        and r.custom_type_id is null
    ), 'warn'
  )
$$;

-- What stands open at the end of a month (as `2026-11`), a row each with its document: documents of the month that
-- nobody submitted or reviewed, money received and matched to no invoice, uses that nobody was charged for, statements
-- of account that were disputed or not answered. A month ends with its last day, as Shanghai counts; a use is of the
-- month in which it happened. `control`: what closing the month does about it; documents that book nothing do not
-- matter to it.
create function month_standing(p_org bigint, p_period text)
returns table (
  category text, document_kind text, document_no text, counterparty_id bigint, happened_on date, amount numeric,
  uses int, note text, control text
) language sql stable as $$
  with span as (
    select
      (p_period || '-01')::date as first_day,
      ((p_period || '-01')::date + interval '1 month' - interval '1 day')::date as last_day
  )
  select
    'unreviewed', d.kind, d.sn, d.counterparty_id, d.business_date, d.taxed_amount, 1,
    case d.state
      when 'draft' then '草稿：请提交并审核，或修改业务日期，不需要的删除'
      else '已提交，等待审核：请审核，或撤回后修改业务日期'
    end,
    case when d.kind = any(month_kinds()) then 'refuse' else 'off' end
  from span x
  join document d on d.org_id = p_org
    and d.role = 'own'
    and d.state in ('draft', 'submitted')
    and d.business_date between x.first_day and x.last_day
    and d.kind <> 'accountStatement'
  union all
  select
    'unmatched', i.kind, i.document_no, i.counterparty_id, i.paid_on, i.left_amount, 1, '没有核销发票的余额',
    close_control(p_org, 'closeUnmatched')
  from span x
  join advance_item i on i.org_id = p_org
    and i.kind = any(adding('collected'))
    and i.left_amount > 0
    and i.paid_on <= x.last_day
  union all
  select
    'uncharged', d.kind, d.sn, s.owner_id, min(s.used_at at time zone 'Asia/Shanghai')::date, sum(s.amount),
    count(*)::int, '使用后没有计费', close_control(p_org, 'closeUncharged')
  from span x
  join settlement_line s on s.org_id = p_org
    and s.state = 'uncharged'
    and s.used_at < (x.last_day + 1)::timestamp at time zone 'Asia/Shanghai'
  join document d on d.org_id = s.org_id and d.id = s.use_document_id
  group by d.kind, d.sn, s.owner_id
  union all
  select
    'difference', d.kind, d.sn, d.counterparty_id, (d.fields->>'end_date')::date,
    coalesce((d.fields->>'difference_amount')::numeric, 0), 1,
    case
      when d.state = 'rejected' then '对方有异议：' || coalesce(d.fields->>'answer_reason', '')
      when d.role = 'own' then '对账函未答复'
      else '等待本机构答复'
    end, close_control(p_org, 'closeDifference')
  from span x
  join document d on d.org_id = p_org
    and d.kind = 'accountStatement'
    and d.state in ('submitted', 'rejected')
    and (d.fields->>'end_date')::date between x.first_day and x.last_day
$$;
