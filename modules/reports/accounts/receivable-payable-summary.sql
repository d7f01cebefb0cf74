-- An entry belongs to the day it was posted. What was owed before the program is part of the opening. An item is due
-- on its own day; what is not invoiced is not due, nor is what no item tells of.
with
  moved as (
    select
      e.counterparty_id,
      e.account,
      e.amount,
      d.kind,
      (e.at at time zone 'Asia/Shanghai')::date < :begin_date
      or d.kind in ('openingReceivable', 'openingPayable') as is_before
    from
      account_entry e
      join document d on d.org_id = e.org_id
      and d.id = e.document_id
    where
      e.org_id = :organisation
      and e.at < (:end_date::date + 1)::timestamp at time zone 'Asia/Shanghai'
      and (
        :counterparty_sn is null
        or e.counterparty_id = :counterparty_sn
      )
  ),
  balance as (
    select
      m.counterparty_id,
      coalesce(
        sum(m.amount) filter (
          where
            m.is_before
            and m.account like coalesce(:direction, 'payable') || '%'
        ),
        0
      ) as opening,
      coalesce(
        sum(m.amount) filter (
          where
            not m.is_before
            and m.account like coalesce(:direction, 'payable') || '%'
            and account_movement (m.kind) = 'raise'
        ),
        0
      ) as raised,
      coalesce(
        sum(- m.amount) filter (
          where
            not m.is_before
            and m.account like coalesce(:direction, 'payable') || '%'
            and account_movement (m.kind) = 'return'
        ),
        0
      ) as returned,
      coalesce(
        sum(- m.amount) filter (
          where
            not m.is_before
            and m.account like coalesce(:direction, 'payable') || '%'
            and account_movement (m.kind) = 'money'
        ),
        0
      ) as settled,
      coalesce(
        sum(- m.amount) filter (
          where
            not m.is_before
            and m.account like coalesce(:direction, 'payable') || '%'
            and account_movement (m.kind) = 'offset'
        ),
        0
      ) as offset_amount,
      coalesce(
        sum(m.amount) filter (
          where
            not m.is_before
            and m.account like coalesce(:direction, 'payable') || '%'
            and account_movement (m.kind) = 'rounding'
        ),
        0
      ) as rounding,
      -- What was let off settled its invoices with the money, and is none.
      coalesce(
        sum(
          case m.kind
            when 'payment' then - m.amount
            else m.amount
          end
        ) filter (
          where
            not m.is_before
            and m.account = 'allowance'
            and (m.kind = 'payment') = (coalesce(:direction, 'payable') = 'payable')
        ),
        0
      ) as allowed,
      coalesce(
        sum(m.amount) filter (
          where
            m.account in ('payable_estimated', 'receivable_unbilled')
            and m.account like coalesce(:direction, 'payable') || '%'
        ),
        0
      ) as unbilled,
      coalesce(
        sum(m.amount) filter (
          where
            m.account in ('payable_invoiced', 'receivable_invoiced')
            and m.account like coalesce(:direction, 'payable') || '%'
        ),
        0
      ) as billed,
      coalesce(
        sum(m.amount) filter (
          where
            m.account = case
              when coalesce(:direction, 'payable') = 'payable' then 'prepaid'
              else 'prereceived'
            end
        ),
        0
      ) as advance,
      count(*) filter (
        where
          not m.is_before
          and m.account like coalesce(:direction, 'payable') || '%'
      ) as moves
    from
      moved m
    group by
      m.counterparty_id
  ),
  asked as (
    select
      :end_date::date as until
  ),
  {{ part(item-balances) }},
  overdue as (
    select
      counterparty_id,
      coalesce(
        sum(open_amount) filter (
          where
            :end_date::date - due_date <= 30
        ),
        0
      ) as days_30,
      coalesce(
        sum(open_amount) filter (
          where
            :end_date::date - due_date between 31 and 90
        ),
        0
      ) as days_90,
      coalesce(
        sum(open_amount) filter (
          where
            :end_date::date - due_date > 90
        ),
        0
      ) as days_more,
      coalesce(sum(open_amount), 0) as days_all
    from
      item
    where
      direction = coalesce(:direction, 'payable')
      and due_date < :end_date
    group by
      counterparty_id
  )
select
  o.name as counterparty_name,
  o.system_type::text as partner_type,
  b.opening::numeric(18, 2) as opening_amount,
  b.raised::numeric(18, 2) as raised_amount,
  b.returned::numeric(18, 2) as returned_amount,
  (b.settled - b.allowed)::numeric(18, 2) as settled_amount,
  b.offset_amount::numeric(18, 2) as offset_amount,
  (b.rounding - b.allowed)::numeric(18, 2) as rounding_amount,
  (b.unbilled + b.billed)::numeric(18, 2) as closing_amount,
  b.unbilled::numeric(18, 2) as unbilled_amount,
  b.billed::numeric(18, 2) as billed_amount,
  b.advance::numeric(18, 2) as advance_amount,
  (b.unbilled + b.billed - coalesce(v.days_all, 0))::numeric(18, 2) as not_due_amount,
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
  )
  and (
    :handler_inner_sn is null
    or exists (
      select
        1
      from
        account_entry e
        join document d on d.org_id = e.org_id
        and d.id = e.document_id
        and d.handler_id = :handler_inner_sn
      where
        e.org_id = :organisation
        and e.counterparty_id = b.counterparty_id
        and e.account like coalesce(:direction, 'payable') || '%'
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
