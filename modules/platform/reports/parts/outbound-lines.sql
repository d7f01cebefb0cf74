-- Sales at their price; what left in other ways at cost alone.
{{ part(sold-lines) }},
{{ part(classed, class => :finance_class_sn) }},
{{ part(finance-class) }},
spent as (
  select
    {{ begin_of(:begin_date) }} as since,
    {{ begin_of(:end_date + 1) }} as until
),
{{ part(issued-cost) }},
otherwise as (
  select
    i.*
  from
    issued_cost i
  where
    {{ warehouse_scope(i.warehouse_id) }}
    and {{ department_scope(i.store_department_id) }}
    and {{ author_scope(i.created_by, i.submitted_by) }}
),
-- First on its own: what it costs would hide from the planner what the joins with it cost.
gone as materialized (
  select
    id,
    kind,
    sn,
    at,
    counterparty_id,
    null::bigint as department_id,
    warehouse_id,
    line_no,
    specification_id,
    lot_no,
    quantity,
    untaxed_amount,
    tax_rate,
    tax_amount,
    taxed_amount,
    cost,
    billed,
    invoice_no
  from
    sold
  union all
  by name
  select
    {{ columns_of(x, id, kind, sn, at, counterparty_id, department_id, warehouse_id, line_no, specification_id) }},
    l.lot_no,
    x.quantity,
    0 as untaxed_amount,
    0 as tax_amount,
    0 as taxed_amount,
    x.cost,
    0 as billed
  from
    otherwise x
    join lot l on l.id = x.lot_id
),
outbound as (
  select
    x.kind as document_kind,
    x.sn as document_sn,
    x.at,
    to_char(x.at at time zone 'Asia/Shanghai', 'YYYY-MM') as month,
    coalesce(c.name, e.name) as receiver_name,
    w.name as warehouse_name,
    fc.name as finance_class,
    {{ goods_columns(product_code, product_name, specification_name, manufacturer_name) }},
    x.lot_no,
    s.unit_name,
    x.quantity::numeric(18, 3) as quantity,
    x.untaxed_amount::numeric(18, 2) as untaxed_amount,
    x.tax_rate,
    x.tax_amount::numeric(18, 2) as tax_amount,
    x.taxed_amount::numeric(18, 2) as taxed_amount,
    x.cost::numeric(18, 2) as cost,
    {{ only_where((x.untaxed_amount - x.cost)::numeric(18, 2), x.tax_rate is not null) }} as profit,
    round((x.untaxed_amount - x.cost) / nullif(x.untaxed_amount, 0), 4) as margin,
    x.billed::numeric(18, 2) as billed,
    (x.taxed_amount - x.billed)::numeric(18, 2) as unbilled,
    x.invoice_no,
    x.line_no,
    case
      when x.tax_rate is null then null
      when x.billed = 0 then 'none'
      when x.billed = x.taxed_amount then 'whole'
      else 'part'
    end as invoice_state
  from
    gone x {{ goods(x.specification_id) }}
    left join organisation c on c.id = x.counterparty_id
    left join department e on e.org_id = :organisation
    and e.id = x.department_id {{ store_if_any(x.warehouse_id) }}
    left join {{ own(hospital_product, h, specification_id = x.specification_id) }}
    left join finance_class fc on fc.specification_id = x.specification_id
    and {{ day_of(x.at) }} between fc.valid_from and fc.valid_to
  where
    {{ narrowed(x, document_kind, counterparty_sn, warehouse_model_inner_sn) }}
    and {{ asked_goods(x.specification_id) }}
    and {{ narrowed(x, document_sn, department_inner_sn) }}
    and (
      :invoice_state is null
      or (
        x.tax_rate is not null
        and :invoice_state = case
          when x.billed = 0 then 'none'
          when x.billed = x.taxed_amount then 'whole'
          else 'part'
        end
      )
    )
    and {{ if_asked(:is_charged, :is_charged = coalesce(h.is_chargeable, x.tax_rate is not null)) }}
    and {{ of_class_at(:finance_class_sn, x.specification_id, x.at) }}
)
