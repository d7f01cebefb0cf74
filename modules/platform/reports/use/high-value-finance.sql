-- Goods of high value, a use a row, with what became of it in money: charged to a patient, settled with its supplier,
-- received into the books, invoiced and paid. Consigned goods follow their settlement, bought ones the receipt of
-- their lot, in the share in which that is invoiced and paid.
with
  {{ part(use-rows) }},
  {{ part(platform/reports/classed, class => :custom_type_sn) }},
  {{ part(platform/reports/finance-class) }},
  high as materialized (
    select
      x.*,
      {{ goods_columns(product_code, product_name, specification_name, unit_name, manufacturer_name) }},
      case
        when x.is_consigned
        and w.model = 'loan' then 'loan'
        when x.is_consigned then 'consigned'
        else 'stock'
      end as origin
    from
      use_rows x {{ goods(x.specification_id) }} {{ store_if_any(x.warehouse_id) }}
    where
      x.role = 'own'
      and p.is_high_value
      and not p.is_reagent
      and {{ named_product(p.name, p.code) }}
      and {{ of_class(:custom_type_sn, x.specification_id, x.used_on) }}
      and {{ narrowed(x, specification_sn, department_inner_sn, supplier_sn, settled_stage) }}
  ),
  -- The receipt behind a use: of its settlement, of what was lent, or of its lot.
  behind as materialized (
    select
      t.source_document_id as use_id,
      t.source_line_no as use_line_no,
      {{ columns_of(g, document_id, line_no, taxed_amount) }}
    from
      (
        select distinct
          first_id
        from
          high
        where
          is_consigned
      ) u
      join {{ own(document_line, t, source_document_id = u.first_id) }}
      join {{ own(document_line, g, source_document_id = t.document_id, source_line_no = t.line_no) }}
      join {{ own(document, r, id = g.document_id) }}
    where
      {{ counted(r, titled) }}
    union all
    select
      {{ columns_of(l, use_document_id, use_line_no, document_id, line_no, amount) }}
    from
      lent l
    where
      l.state in ('received', 'invoiced')
  ),
  bought as materialized (
    select
      g.lot_id,
      {{ columns_of(r, document_id, line_no, base_quantity) }}
    from
      (
        select distinct
          lot_id
        from
          high
        where
          not is_consigned
      ) g
      cross join lateral ({{ part(platform/reports/last-delivery, settled => false) }}) r
  ),
  billable as (
    select
      document_id as id
    from
      behind
    union
    select
      document_id
    from
      bought
  ),
  {{ part(platform/reports/invoiced-lines) }},
  received as (
    select
      b.use_id,
      b.use_line_no,
      sum(b.taxed_amount) as amount,
      max(b.document_id) as document_id,
      sum(i.amount) as invoiced,
      sum(i.paid) as paid,
      max(i.invoice_no) as invoice_no
    from
      behind b
      left join invoiced_lines i on i.document_id = b.document_id
      and i.line_no = b.line_no
    group by all
  )
select
  x.used_on,
  x.sn as document_sn,
  x.kind as document_kind,
  e.name as department_name,
  x.department_id::text as department_sn,
  v.name as supplier_name,
  x.supplier_id::text as supplier_sn,
  {{ columns_of(x, product_code, product_name, specification_name) }},
  x.specification_id::text as specification_sn,
  x.unit_name,
  x.manufacturer_name,
  fc.name as class_name,
  x.origin,
  x.lot_no,
  array_to_string(x.unit_codes, '、') as codes,
  x.base_quantity::numeric(18, 3) as quantity,
  x.amount::numeric(18, 2) as amount,
  x.charged_quantity::numeric(18, 3) as charged_quantity,
  x.charged_amount::numeric(18, 2) as charged_amount,
  -- Mark-up is that of what was charged: the cost of the share that was.
  (
    x.charged_amount - round(x.amount * least(1, coalesce(x.charged_quantity / nullif(x.due_charge_quantity, 0), 0)), 2)
  )::numeric(18, 2) as mark_up,
  (x.due_charge_quantity - x.charged_quantity)::numeric(18, 3) as charge_gap,
  x.settled_stage,
  t.sn as settlement_no,
  t.kind as settlement_kind,
  {{ only_where(x.settled_amount, x.is_consigned) }}::numeric(18, 2) as settled_amount,
  {{ only_where(x.amount - x.settled_amount, x.is_consigned) }}::numeric(18, 2) as unsettled_amount,
  coalesce(r.sn, q.sn) as receipt_no,
  coalesce(r.kind, q.kind) as receipt_kind,
  coalesce(m.received, 0)::numeric(18, 2) as received_amount,
  coalesce(m.invoice_no, i.invoice_no) as invoice_no,
  coalesce(m.invoiced, 0)::numeric(18, 2) as invoiced_amount,
  coalesce(m.paid, 0)::numeric(18, 2) as paid_amount
from
  high x
  left join received g on x.is_consigned
  and x.red_of_id is null
  and g.use_id = x.first_id
  and g.use_line_no = x.line_no
  left join bought b on not x.is_consigned
  and b.lot_id = x.lot_id
  left join invoiced_lines i on i.document_id = b.document_id
  and i.line_no = b.line_no
  -- Uses of a lot share the invoice of its receipt in the order in which they were booked.
  left join lateral (
    select
      coalesce(- sum(m.quantity), 0) as quantity
    from
      stock_move m
    where
      m.org_id = :organisation
      and m.lot_id = x.lot_id
      and m.owner_id = :organisation
      and m.step = 'use'
      and (m.document_id, m.line_no) < (x.id, x.line_no)
  ) u on i.document_id is not null
  cross join lateral (
    select
      case
        when x.is_consigned then g.amount
        when b.document_id is not null then x.amount
      end as received,
      case
        when x.is_consigned then g.invoiced
        else share_between (i.amount, u.quantity, x.base_quantity, nullif(b.base_quantity, 0))
      end as invoiced,
      case
        when x.is_consigned then g.paid
        else share_between (i.paid, u.quantity, x.base_quantity, nullif(b.base_quantity, 0))
      end as paid,
      g.invoice_no
  ) m
  left join organisation v on v.id = x.supplier_id {{ department_if_any(x.department_id) }}
  left join {{ own(document, t, id = x.settlement_id) }}
  left join {{ own(document, r, id = g.document_id) }}
  left join document q on q.org_id = :organisation
  and q.id = b.document_id {{ class_on(x.used_on) }}
where
  {{ asked(x.origin, :origin) }}
order by
  x.used_on desc,
  x.sn desc,
  x.line_no
