with
  invoice as (
    select
      d.id,
      d.counterparty_id,
      coalesce((d.fields ->> 'invoice_date')::date, d.business_date) as day,
      d.taxed_amount + d.rounding as amount,
      least(coalesce(g.taken, 0), d.taxed_amount + d.rounding) as paid
    from
      document d
      left join line_progress g on g.org_id = :organisation
      and g.document_id = d.id
      and g.line_no = 0
      and g.purpose = 'pay'
    where
      d.org_id = :organisation
      and d.kind = 'inboundInvoice'
      and d.role = 'own'
      and d.state in ('reviewed', 'partial', 'completed')
      and d.taxed_amount > 0
  ),
  covered as (
    select
      i.*,
      sum(i.amount) over (
        partition by
          i.counterparty_id
        order by
          i.day,
          i.id
      ) as until_here,
      sum(i.paid) over (
        partition by
          i.counterparty_id
      ) as paid_to_supplier
    from
      invoice i
  ),
  unpaid as (
    select
      c.counterparty_id,
      (posting_now () at time zone 'Asia/Shanghai')::date - c.day as days,
      least(c.amount, greatest(0, c.until_here - c.paid_to_supplier)) as amount
    from
      covered c
  )
select
  o.name as counterparty_name,
  u.counterparty_id::text as counterparty_sn,
  case
    when u.days <= 30 then 'month'
    when u.days <= 60 then 'two'
    when u.days <= 90 then 'quarter'
    when u.days <= 180 then 'half'
    else 'older'
  end as age,
  u.amount::numeric(18, 2) as amount,
  1 as invoices
from
  unpaid u
  join organisation o on o.id = u.counterparty_id
where
  u.amount > 0
