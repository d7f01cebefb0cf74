select
  x.day,
  x.sn as document_sn,
  o.name as counterparty_name,
  x.counterparty_id::text as counterparty_sn,
  p.name as product_name,
  x.price::numeric(18, 4) as price,
  x.contract_price,
  1 as lines,
  (x.contract_price is null)::int as uncovered,
  (coalesce(x.contract_price, x.price) < x.price)::int as dear,
  x.amount::numeric(18, 2) as amount,
  case
    when x.contract_price is null then 0
    else x.amount
  end::numeric(18, 2) as covered_amount,
  case
    when x.contract_price is null then x.amount
    else 0
  end::numeric(18, 2) as uncovered_amount
from
  (
    select
      d.sn,
      d.counterparty_id,
      y.day,
      l.specification_id,
      l.taxed_amount as amount,
      round(l.taxed_amount / nullif(l.base_quantity, 0), 4) as price,
      (
        select
          min(g.price)
        from
          price_agreement g
        where
          g.org_id = :organisation
          and g.buyer_id = :organisation
          and g.seller_id = d.counterparty_id
          and g.specification_id = l.specification_id
          and g.status = 'enabled'
          and y.day between g.valid_from and coalesce(g.valid_to, 'infinity'::date)
      ) as contract_price
    from
      document d
      cross join lateral (
        select
          (d.reviewed_at at time zone 'Asia/Shanghai')::date as day
      ) y
      join document_line l on l.org_id = :organisation
      and l.document_id = d.id
    where
      d.org_id = :organisation
      and d.kind = 'purchaseGrn'
      and d.role = 'own'
      and d.red_of_id is null
      and d.regime is distinct from 'consigned'
      and d.state in ('reviewed', 'partial', 'completed')
      and d.reviewed_at >= :begin_date::timestamp at time zone 'Asia/Shanghai'
      and d.reviewed_at < (:end_date + 1)::timestamp at time zone 'Asia/Shanghai'
      and {{ warehouse_scope(d.warehouse_id) }}
      and {{ department_scope(d.department_id) }}
  ) x
  join specification s on s.id = x.specification_id
  join product p on p.id = s.product_id
  left join organisation o on o.id = x.counterparty_id
where
  :above is not true
  or coalesce(x.contract_price, x.price) < x.price
order by
  x.day desc,
  x.sn desc
