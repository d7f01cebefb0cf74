with
  agreed as (
    select
      coalesce(g.contract_no, nullif(d.fields ->> 'document_no', ''), d.sn, '未编号') as contract_no,
      g.seller_id,
      g.specification_id,
      g.price_type,
      g.valid_from,
      g.valid_to,
      g.status = 'enabled'
      and g.valid_from <= n.today
      and coalesce(g.valid_to, 'infinity'::date) >= n.today as is_in_force,
      n.today
    from
      price_agreement g
      cross join (
        select
          (posting_now () at time zone 'Asia/Shanghai')::date as today
      ) n
      left join document d on d.org_id = g.org_id
      and d.id = g.document_id
    where
      g.org_id = :organisation
      and g.buyer_id = :organisation
  ),
  received as (
    select
      d.counterparty_id,
      l.specification_id,
      (d.reviewed_at at time zone 'Asia/Shanghai')::date as day,
      sum(
        case
          when d.kind = 'purchaseReturn' then - l.taxed_amount
          else l.taxed_amount
        end
      ) as amount
    from
      document d
      join document_line l on l.org_id = :organisation
      and l.document_id = d.id
    where
      d.org_id = :organisation
      and d.kind in ('purchaseGrn', 'settlementGrn', 'purchaseReturn')
      and d.role = 'own'
      and d.regime is distinct from 'consigned'
      and d.state in ('reviewed', 'partial', 'completed', 'reversed')
    group by
      1,
      2,
      3
  ),
  contract as (
    select
      a.contract_no,
      a.seller_id,
      min(a.price_type) as price_type,
      case
        when bool_or(a.valid_to is null) then null
        else max(a.valid_to)
      end as valid_to,
      bool_or(a.is_in_force) as is_in_force,
      count(distinct a.specification_id) as sizes,
      max(a.today) as today,
      sum(r.amount) as executed
    from
      agreed a
      left join lateral (
        select
          sum(x.amount) as amount
        from
          received x
        where
          x.counterparty_id = a.seller_id
          and x.specification_id = a.specification_id
          and x.day between a.valid_from and coalesce(a.valid_to, 'infinity'::date)
      ) r on true
    group by
      a.contract_no,
      a.seller_id
  )
select
  c.contract_no,
  o.name as counterparty_name,
  c.seller_id::text as counterparty_sn,
  c.price_type,
  c.valid_to,
  case
    when c.valid_to is null then 'open'
    when c.valid_to < c.today then 'expired'
    when c.valid_to <= c.today + 30 then 'month'
    when c.valid_to <= c.today + 90 then 'quarter'
    when c.valid_to <= c.today + 180 then 'half'
    else 'later'
  end as band,
  c.sizes,
  1 as contracts,
  c.is_in_force::int as in_force,
  coalesce(c.executed, 0)::numeric(18, 2) as executed_amount
from
  contract c
  join organisation o on o.id = c.seller_id
order by
  c.valid_to nulls last,
  c.contract_no
