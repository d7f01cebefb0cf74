-- What a document of a kind does to the balance with a partner: goods that go back lower it, money and what is set off
-- settle it, an invoice leaves its difference (尾差); everything else raises it.
create function account_movement(kind text)
returns text language sql immutable as $$
  select case
    when kind in ('purchaseReturn', 'saleReturn') then 'return'
    when kind in ('payment', 'receipt', 'chargePayment', 'chargeReceipt') then 'money'
    when kind in ('prepaymentOffset', 'prereceiptOffset', 'chargeDeduction', 'chargeSetOff') then 'offset'
    when kind in ('prepaymentTransfer', 'prereceiptTransfer') then 'offset'
    when kind in ('inboundInvoice', 'outboundInvoice') then 'rounding'
    else 'raise'
  end
$$;

-- 未结项: what raised the balance with a partner and is settled item by item: an invoice or a service fee as a
-- whole, an opening line by line. Amounts include tax, in the sign of the item: a red invoice, a credit of the partner
-- are negative. What an
-- invoice lost by a reversal is not its amount any more.
create view open_item with (security_invoker = true) as
select
  i.org_id, i.document_id * 100000 + i.line_no as id, i.direction, i.counterparty_id, i.kind, i.document_id,
  i.document_no, i.line_no, i.invoice_no, i.opened_on, i.due_date, i.summary_text, i.amount, i.settled_amount,
  (i.amount - i.settled_amount)::numeric(18,2) as open_amount,
  case when i.amount = i.settled_amount then 'settled' else 'open' end as settle_state,
  greatest(coalesce(n.today - i.due_date, 0), 0) as overdue_days, n.today - i.opened_on as age_days, i.booked_at
from (
  select
    d.org_id, d.id as document_id, 0 as line_no, d.kind,
    case d.kind when 'inboundInvoice' then 'payable' else 'receivable' end as direction, d.counterparty_id,
    d.sn as document_no, d.fields->>'invoice_no' as invoice_no,
    coalesce((d.fields->>'invoice_date')::date, d.business_date) as opened_on,
    (d.fields->>'due_date')::date as due_date, null::text as summary_text,
    (
      d.taxed_amount + d.rounding + coalesce(
        (
          select sum(m.taxed_amount + m.rounding)
          from document m
          where m.org_id = d.org_id and m.red_of_id = d.id and m.state not in ('draft', 'cancelled', 'deleted')
        ), 0
      )
    )::numeric(18,2) as amount,
    coalesce(
      (
        select p.taken
        from line_progress p
        where p.org_id = d.org_id and p.document_id = d.id and p.line_no = 0 and p.purpose = 'pay'
      ), 0
    )::numeric(18,2) as settled_amount, d.reviewed_at as booked_at
  from document d
  where d.kind in ('inboundInvoice', 'outboundInvoice')
    and d.role = 'own'
    and d.red_of_id is null
    and d.state in ('reviewed', 'partial', 'completed')
  union all
  select
    d.org_id, d.id, l.line_no, d.kind, case d.kind when 'openingPayable' then 'payable' else 'receivable' end,
    d.counterparty_id, d.sn, l.fields->>'invoice_no', (l.fields->>'opened_on')::date,
    (l.fields->>'due_date')::date, l.fields->>'summary_text',
    (
      l.taxed_amount + coalesce(
        (
          select sum(r.taxed_amount)
          from document m
          join document_line r on r.org_id = m.org_id and r.document_id = m.id and r.line_no = l.line_no
          where m.org_id = d.org_id and m.red_of_id = d.id and m.state not in ('draft', 'cancelled', 'deleted')
        ), 0
      )
    )::numeric(18,2),
    coalesce(
      (
        select p.taken
        from line_progress p
        where p.org_id = d.org_id and p.document_id = d.id and p.line_no = l.line_no and p.purpose = 'pay'
      ), 0
    )::numeric(18,2), d.reviewed_at
  from document d
  join document_line l on l.org_id = d.org_id and l.document_id = d.id
  where d.kind in ('openingReceivable', 'openingPayable')
    and d.role = 'own'
    and d.red_of_id is null
    and d.state in ('reviewed', 'partial', 'completed')
  union all
  -- A service fee is owed to the hospital from its review on, by the supplier once it agreed.
  select
    d.org_id, d.id, 0, d.kind, case d.role when 'own' then 'receivable' else 'payable' end, d.counterparty_id, d.sn,
    d.fields->>'invoice_no', d.business_date, (d.fields->>'due_date')::date, null,
    (
      d.taxed_amount + coalesce(
        (
          select sum(m.taxed_amount)
          from document m
          where m.org_id = d.org_id and m.red_of_id = d.id and m.state not in ('draft', 'cancelled', 'deleted')
        ), 0
      )
    )::numeric(18,2),
    coalesce(
      (
        select p.taken
        from line_progress p
        where p.org_id = d.org_id and p.document_id = d.id and p.line_no = 0 and p.purpose = 'pay'
      ), 0
    )::numeric(18,2),
    case d.role when 'own' then d.reviewed_at
      else (d.fields->>'confirmed_on')::date::timestamp at time zone 'Asia/Shanghai' end
  from document d
  where d.kind = 'serviceCharge'
    and d.red_of_id is null
    and d.state in ('reviewed', 'partial', 'completed')
    and (d.role = 'own' or d.fields->>'confirmed_on' is not null)
    -- What the platform collects is owed to it by its own bill.
    and coalesce(d.fields->>'collector', 'own') = 'own'
) i
cross join lateral (select (posting_now() at time zone 'Asia/Shanghai')::date as today) n;
grant select on open_item to :app_role;

-- 预收余额, 预付余额: money in advance by the document that brought it: an advance itself, or what a receipt matched to no
-- invoice. What was turned into an advance is there as far as its transfer filled it. Yuan; what is left is the balance
-- of the partner.
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
  where d.kind = 'receipt'
    and d.role = 'own'
    and d.red_of_id is null
    and d.state in ('reviewed', 'partial', 'completed')
    and l.amount <> 0
) i;
grant select on advance_item to :app_role;

-- How an organisation closes a month in which things of a category stand open: refuse, warn or off.
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
-- nobody reviewed, money received and matched to no invoice, uses that nobody was charged for, statements of account
-- that were disputed or not answered. A month ends with its last day, as Shanghai counts; a use is of the month in
-- which it happened. `control`: what closing the month does about it; documents that book nothing do not matter to it.
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
    'unreviewed', d.kind, d.sn, d.counterparty_id, d.business_date, d.taxed_amount, 1, '已提交，等待审核',
    case when d.kind = any(posting_kinds()) then 'refuse' else 'off' end
  from span x
  join document d on d.org_id = p_org
    and d.role = 'own'
    and d.state = 'submitted'
    and d.business_date between x.first_day and x.last_day
    and d.kind <> 'accountStatement'
  union all
  select
    'unmatched', i.kind, i.document_no, i.counterparty_id, i.paid_on, i.left_amount, 1, '没有核销发票的余额',
    close_control(p_org, 'closeUnmatched')
  from span x
  join advance_item i on i.org_id = p_org and i.kind = 'receipt' and i.left_amount > 0 and i.paid_on <= x.last_day
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
