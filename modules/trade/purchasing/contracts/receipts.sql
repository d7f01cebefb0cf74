with
  {{ part(agreed) }},
  buying as not materialized (
    select
      *
    from
      document
    where
      org_id = :organisation
  ),
  {{ part(bought, since => :begin_date, until => :end_date) }},
  {{ part(covered) }}
select
  x.booked_on as day,
  x.kind as document_kind,
  x.sn as document_sn,
  x.contract_no,
  o.name as counterparty_name,
  x.counterparty_id::text as counterparty_sn,
  {{ goods_columns(product_code, product_name, specification_name) }},
  x.price::numeric(18, 4) as price,
  x.contract_price,
  x.stands::int as lines,
  (
    x.stands
    and x.contract_no is null
  )::int as uncovered,
  (
    x.stands
    and coalesce(x.contract_price, x.price) < x.price
  )::int as dear,
  x.amount::numeric(18, 2) as amount,
  case
    when x.contract_no is null then 0
    else x.amount
  end::numeric(18, 2) as covered_amount,
  {{ value_where(x.amount, x.contract_no is null) }}::numeric(18, 2) as uncovered_amount
from
  covered x {{ product_of(x.specification_id) }}
  left join organisation o on o.id = x.counterparty_id
where
  -- Without a scope, only receipts.
  (
    :scope = 'executed'
    or {{ feeds(x.kind, delivered) }}
  )
  and {{ narrowed(x, contract_no, counterparty_sn) }}
  and (
    :covered is null
    or :covered = 'covered'
    and x.contract_no is not null
    or :covered = 'uncovered'
    and x.contract_no is null
  )
  and (
    :above is not true
    or (
      x.stands
      and coalesce(x.contract_price, x.price) < x.price
    )
  )
  and {{ warehouse_scope(x.warehouse_id) }}
  and {{ department_scope(x.department_id) }}
order by
  x.booked_on desc,
  x.sn desc
