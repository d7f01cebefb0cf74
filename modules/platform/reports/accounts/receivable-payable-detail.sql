-- A row for each change of the balance by a document at one moment; an invoice shows only its difference. Amounts owed
-- from before the program are part of the opening.
with
  entry as (
    select
      {{ columns_of(e, id, document_id, at, undo_of, amount, movement) }},
      e.account like '%_invoiced' as is_billed,
      e.movement = 'opening'
      or e.at < {{ begin_of(:begin_date) }} as is_before
    from
      money_entry e
    where
      e.org_id = :organisation
      and e.counterparty_id = :counterparty_sn
      and e.direction = coalesce(:direction, 'payable')
      and e.at < {{ begin_of(:end_date::date + 1) }}
  ),
  event as (
    select
      document_id,
      at,
      min(id) as id,
      bool_or(undo_of is not null) as is_undone,
      bool_or(is_billed) as is_billed,
      movement,
      sum(amount) as amount
    from
      entry
    where
      not is_before
    group by all
    having
      sum(amount) <> 0
  ),
  opening as (
    select
      coalesce(sum(amount), 0) as amount
    from
      entry
    where
      is_before
  )
select
  {{ columns_of(x, posted_on, business_date, paper_name, document_no, source_no, invoice_no, remark) }},
  {{ columns_of(x, raised_amount, lowered_amount, balance_amount, is_billed, due_date, handler_name, voucher_no) }},
  x.created_by_name,
  x.document_kind
from
  (
    select
      0 as place,
      0::bigint as id,
      null::date as posted_on,
      null::date as business_date,
      '期初余额' as paper_name,
      null as document_no,
      null as source_no,
      null as invoice_no,
      null as remark,
      0::numeric(18, 2) as raised_amount,
      0::numeric(18, 2) as lowered_amount,
      o.amount::numeric(18, 2) as balance_amount,
      null as is_billed,
      null::date as due_date,
      null as handler_name,
      null as voucher_no,
      null as created_by_name,
      null as document_kind
    from
      opening o
    union all
    select
      1,
      v.id,
      {{ day_of(v.at) }},
      d.business_date,
      case
        when d.red_of_id is not null then '红冲'
        when v.is_undone then '反审核'
        else ''
      end || case
        when v.movement = 'rounding' then '发票尾差'
        else regexp_replace(document_title (d.kind), '单$', '')
      end || case
        when coalesce(d.fields ->> 'allowance_amount', '0')::numeric <> 0 then '（含折让）'
        else ''
      end,
      d.sn,
      d.source_sn,
      d.fields ->> 'invoice_no',
      d.remark,
      greatest(v.amount, 0)::numeric(18, 2),
      greatest(- v.amount, 0)::numeric(18, 2),
      (
        o.amount + sum(v.amount) over (
          order by
            v.id
        )
      )::numeric(18, 2),
      case
        when v.is_billed then 'yes'
        else 'no'
      end,
      (d.fields ->> 'due_date')::date,
      e.name,
      d.fields ->> 'voucher_no',
      coalesce(
        (
          select
            u.name
          from
            app_user u
          where
            u.id = d.created_by
        ),
        {{ only_where('系统', d.created_by = 0) }}
      ),
      d.kind
    from
      event v {{ document_of(v.document_id) }}
      left join employee e on e.org_id = d.org_id
      and e.id = d.handler_id
      cross join opening o
  ) x
order by
  x.place,
  x.id
