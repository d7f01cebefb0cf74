-- Goods that left the own stores in the period by the moment of review, a row a line, and their returns with a minus:
-- to customers, departments, other stores and suppliers. A sale of consigned goods is their settlement, and a sale of
-- an operation is what it used: both left the stores before. A document that undoes another counts on its own day.
issuing as materialized (
  select
    {{ columns_of(d, id, kind, sn, red_of_id, regime, handler_id, created_by) }},
    (coalesce(d.reviewed_at, d.created_at) at time zone 'Asia/Shanghai')::date as day,
    case
      when {{ takes_back(d.kind, granted) }} then d.to_warehouse_id
      else d.warehouse_id
    end as warehouse_id,
    case
      when {{ takes_back(d.kind, granted) }} then d.warehouse_id
      when {{ adds(d.kind, granted, moved) }} then d.to_warehouse_id
    end as other_warehouse_id,
    d.department_id,
    d.counterparty_id,
    {{ sign(d.kind, issued) }} as sign
  from
    document d
  where
    d.org_id = :organisation
    and {{ counted(d, issued) }}
    -- Between the places of one store nothing leaves it.
    and (
      not {{ feeds(d.kind, moved) }}
      or d.to_warehouse_id is distinct from d.warehouse_id
    )
    and (
      {{ during(d.reviewed_at) }}
      or d.reviewed_at is null
      and {{ during(d.created_at) }}
    )
    and {{ document_scope(d) }}
),
issue_cost as (
  select
    m.document_id,
    m.line_no,
    - sum(m.value) as cost
  from
    issuing d
    join {{ own(stock_move, m, document_id = d.id, warehouse_id = d.warehouse_id) }}
  group by all
),
{{ part(platform/reports/used-cost) }},
issued_line as materialized (
  select
    d.*,
    {{ columns_of(l, line_no, specification_id, lot_id, lot_no, expiry_date, unit_codes) }},
    d.sign * l.base_quantity as quantity,
    {{ columns_of(l, price, tax_rate, owner_org_id) }},
    coalesce(l.owner_org_id, d.counterparty_id, :organisation) <> :organisation
    and {{ feeds(d.kind, titled) }}
    or coalesce(l.owner_org_id, :organisation) <> :organisation as is_consigned,
    -- Goods that leave without a price leave at their cost.
    case
      when l.price = 0 then {{ known_cost(n.cost) }}
      else d.sign * l.taxed_amount
    end as amount,
    case
      when l.price = 0 then {{ known_cost(n.cost) }}
      else d.sign * l.untaxed_amount
    end as untaxed_amount,
    n.cost,
    coalesce(g.taken, 0) as received
  from
    issuing d {{ lines_of(d.id) }}
    left join issue_cost c on c.document_id = d.id
    and c.line_no = l.line_no
    left join used_cost u on {{ feeds(d.kind, sold_as_used) }}
    and u.customer_id = d.counterparty_id
    and u.specification_id = l.specification_id
    and u.lot_id = l.lot_id
    cross join lateral (
      select
        coalesce(c.cost, round(l.base_quantity * u.each, 2), 0) as cost
    ) n
    left join line_progress g on {{ adds(d.kind, granted) }}
    and g.org_id = :organisation
    and g.document_id = d.id
    and g.line_no = l.line_no
    and g.purpose = 'ward_receive'
),
bought_lot as (
  select
    lot_id
  from
    issued_line
  where
    not is_consigned
),
{{ part(platform/reports/brought) }}
