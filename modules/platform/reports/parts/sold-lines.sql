-- Goods sold in the period by the moment of review: deliveries of own goods, and consigned goods that customers used
-- and settled, less returns. A document that undoes another counts on its own day. Cost is that of the moves; for
-- consigned goods the average of their uses.
sold_document as materialized (
  select
    {{ columns_of(d, id, kind, sn, counterparty_id, warehouse_id, handler_id, department_id) }},
    coalesce(d.reviewed_at, d.created_at) as at,
    {{ sign(d.kind, sold) }} as sign
  from
    document d
  where
    d.org_id = :organisation
    and {{ counted(d, sold) }}
    and (
      d.regime is distinct from 'consigned'
      or {{ feeds(d.kind, titled) }}
    )
    and (
      {{ during(d.reviewed_at) }}
      or d.reviewed_at is null
      and {{ during(d.created_at) }}
    )
    and {{ document_scope(d) }}
),
sold_cost as (
  select
    m.document_id,
    m.line_no,
    - sum(m.value) as cost
  from
    sold_document d
    join stock_move m on m.org_id = :organisation
    and m.document_id = d.id {{ store_of(m.warehouse_id) }}
  where
    w.model <> 'transit'
  group by all
),
{{ part(platform/reports/used-cost) }},
billable as {{ column_of(sold_document, id) }},
{{ part(platform/reports/invoiced-lines) }},
sold as (
  select
    {{ columns_of(d, id, kind, sn, at, counterparty_id, warehouse_id, handler_id) }},
    {{ columns_of(l, line_no, specification_id, lot_no, expiry_date, unit_codes, price, tax_rate) }},
    d.sign * l.base_quantity as quantity,
    d.sign * l.untaxed_amount as untaxed_amount,
    d.sign * l.tax_amount as tax_amount,
    d.sign * l.taxed_amount as taxed_amount,
    case
      when c.cost is null then round(l.base_quantity * coalesce(u.each, 0), 2)
      else c.cost
    end as cost,
    coalesce(b.amount, 0) as billed,
    b.invoice_no,
    coalesce(b.paid, 0) as received
  from
    sold_document d {{ lines_of(d.id) }}
    left join sold_cost c on c.document_id = d.id
    and c.line_no = l.line_no
    left join used_cost u on {{ feeds(d.kind, sold_as_used) }}
    and u.customer_id = d.counterparty_id
    and u.specification_id = l.specification_id
    and u.lot_id = l.lot_id
    left join invoiced_lines b on b.document_id = d.id
    and b.line_no = l.line_no
)
