-- An entry belongs to the day it was posted. Amounts owed from before the program are part of the opening. An item is
-- due on its own day; amounts that are not invoiced, or have no item, are not due.
with
  moved as (
    select
      {{ columns_of(e, counterparty_id, amount, account, movement) }},
      e.movement <> 'opening'
      and e.at >= {{ begin_of(:begin_date) }} as is_within,
      case
        when e.direction is null then 'advance'
        when e.movement = 'opening'
        or e.at < {{ begin_of(:begin_date) }} then 'before'
        else e.movement
      end as side
    from
      money_entry e
    where
      e.org_id = :organisation
      and e.at < {{ begin_of(:end_date::date + 1) }}
      and {{ asked(e.counterparty_id, :counterparty_sn) }}
      and (
        e.direction = coalesce(:direction, 'payable')
        or e.account = case coalesce(:direction, 'payable')
          when 'payable' then 'prepaid'
          else 'prereceived'
        end
      )
  ),
  balance as (
    select
      counterparty_id,
      sum(amount * (side = 'before')::int) as opening,
      sum(amount * (side in ('raise', 'fee'))::int) as raised,
      sum(- amount * (side = 'return')::int) as returned,
      sum(- amount * (side = 'money')::int) as settled,
      sum(- amount * (side = 'offset')::int) as offset_amount,
      sum(amount * (side = 'rounding')::int) as rounding,
      sum(amount * (account in ('payable_estimated', 'receivable_unbilled'))::int) as unbilled,
      sum(amount * (account in ('payable_invoiced', 'receivable_invoiced'))::int) as billed,
      sum(amount * (side = 'advance')::int) as advance,
      sum(
        amount * (
          account in ('payable_invoiced', 'receivable_invoiced')
          and side = 'rounding'
        )::int
      ) as invoiced,
      sum(
        case
          when not is_within
          or movement <> 'money' then 0
          when side = 'advance' then amount
          else - amount
        end
      ) as money,
      {{ filtered(count(*), side <> 'before' and is_within) }} as moves
    from
      moved
    group by all
  ),
  -- An amount that was let off settles its invoices together with the money, but is not money.
  allowed as (
    select
      a.counterparty_id,
      sum(
        case coalesce(:direction, 'payable')
          when 'payable' then - a.amount
          else a.amount
        end
      ) as amount
    from
      account_entry a
    where
      a.org_id = :organisation
      and a.account = 'allowance'
      and a.at >= {{ begin_of(:begin_date) }}
      and a.at < {{ begin_of(:end_date::date + 1) }}
      and exists (
        select
          1
        from
          account_entry x
        where
          x.org_id = :organisation
          and x.document_id = a.document_id
          and x.line_no = a.line_no
          and x.account = coalesce(:direction, 'payable') || '_invoiced'
      )
    group by all
  ),
  asked as (
    select
      :end_date::date as until
  ),
  {{ part(item-balances) }},
  overdue as (
    select
      counterparty_id,
      sum(open_amount * (until - due_date <= 30)::int) as days_30,
      sum(open_amount * (until - due_date between 31 and 90)::int) as days_90,
      sum(open_amount * (until - due_date > 90)::int) as days_more,
      sum(open_amount) as days_all
    from
      item
    where
      direction = coalesce(:direction, 'payable')
      and due_date < until
    group by all
  )
select
  o.name as counterparty_name,
  o.system_type::text as partner_type,
  b.opening::numeric(18, 2) as opening_amount,
  b.raised::numeric(18, 2) as raised_amount,
  b.returned::numeric(18, 2) as returned_amount,
  (b.settled - coalesce(w.amount, 0))::numeric(18, 2) as settled_amount,
  b.offset_amount::numeric(18, 2) as offset_amount,
  (b.rounding - coalesce(w.amount, 0))::numeric(18, 2) as rounding_amount,
  (b.unbilled + b.billed)::numeric(18, 2) as closing_amount,
  b.unbilled::numeric(18, 2) as unbilled_amount,
  b.billed::numeric(18, 2) as billed_amount,
  b.advance::numeric(18, 2) as advance_amount,
  b.invoiced::numeric(18, 2) as invoiced_amount,
  (b.money - coalesce(w.amount, 0))::numeric(18, 2) as money_amount,
  (b.unbilled + b.billed - coalesce(v.days_all, 0))::numeric(18, 2) as not_due_amount,
  coalesce(v.days_all, 0)::numeric(18, 2) as overdue_amount,
  coalesce(v.days_30, 0)::numeric(18, 2) as overdue_30,
  coalesce(v.days_90, 0)::numeric(18, 2) as overdue_90,
  coalesce(v.days_more, 0)::numeric(18, 2) as overdue_more,
  t.balance as their_balance,
  (b.unbilled + b.billed - t.balance)::numeric(18, 2) as difference_amount,
  b.counterparty_id::text as counterparty_sn,
  coalesce(:direction, 'payable') as direction
from
  balance b
  join organisation o on o.id = b.counterparty_id
  left join allowed w on w.counterparty_id = b.counterparty_id
  left join overdue v on v.counterparty_id = b.counterparty_id
  left join lateral (
    select
      (
        case a.role
          when 'own' then a.fields ->> 'their_balance'
          else a.fields ->> 'closing_amount'
        end
      )::numeric(18, 2) as balance
    from
      document a
    where
      a.org_id = :organisation
      and a.kind = 'accountStatement'
      and a.counterparty_id = b.counterparty_id
      and a.fields ->> 'end_date' = :end_date::text
      and (
        a.role = 'own'
        and a.state in ('reviewed', 'rejected')
        and a.fields ->> 'direction' = coalesce(:direction, 'payable')
        or a.role = 'counterparty'
        and a.state <> 'cancelled'
        and a.fields ->> 'direction' <> coalesce(:direction, 'payable')
      )
    order by
      a.id desc
    limit
      1
  ) t on true
where
  (
    b.moves > 0
    or b.opening <> 0
    or b.unbilled <> 0
    or b.billed <> 0
    or b.advance <> 0
    or v.days_all <> 0
  )
  and (
    :handler_inner_sn is null
    or exists (
      select
        1
      from
        money_entry e
        join {{ own(document, d, id = e.document_id, handler_id = :handler_inner_sn) }}
      where
        e.org_id = :organisation
        and e.counterparty_id = b.counterparty_id
        and e.direction = coalesce(:direction, 'payable')
    )
  )
  and (
    :mine is null
    or exists (
      select
        1
      from
        document d
      where
        d.org_id = :organisation
        and d.role = 'own'
        and d.counterparty_id = b.counterparty_id
        and case coalesce(:direction, 'payable')
          when 'payable' then {{ feeds(d.kind, ordered, delivered) }}
          else {{ feeds(d.kind, ordered_here, shipped) }}
        end
        and {{ mine(d.created_by, d.handler_id) }}
    )
  )
  and (
    :balance is distinct from 'some'
    or b.unbilled + b.billed <> 0
  )
  and (
    :balance is distinct from 'overdue'
    or v.days_all > 0
  )
order by
  b.unbilled + b.billed desc,
  o.name
