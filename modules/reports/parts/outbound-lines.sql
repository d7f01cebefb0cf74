-- Sales at their price; what left in other ways at cost alone. A hospital's goods are spent when they are
-- used; where a warehouse says that its goods are spent when they are granted to it, or received by it, the grant or
-- the receipt counts and the use does not, so that nothing counts twice.
{{ part(sold-lines) }},
{{ part(classed, class => :finance_class_sn) }},
{{ part(finance-class) }},
otherwise as (
  select
    d.id,
    d.kind,
    d.sn,
    d.reviewed_at as at,
    d.counterparty_id,
    coalesce(d.department_id, t.department_id, w.department_id) as department_id,
    m.warehouse_id,
    m.line_no,
    m.specification_id,
    m.lot_id,
    -- What a ward received is counted where it came to, all else where it left.
    case d.kind
      when 'wardReceipt' then sum(m.quantity)
      else - sum(m.quantity)
    end as quantity,
    case d.kind
      when 'wardReceipt' then sum(m.value)
      else - sum(m.value)
    end as cost
  from
    document d
    join stock_move m on m.org_id = :organisation
    and m.document_id = d.id
    join warehouse w on w.org_id = :organisation
    and w.id = m.warehouse_id
    left join warehouse t on t.org_id = :organisation
    and t.id = case d.kind
      when 'grantOdo' then d.to_warehouse_id
      when 'grantReturn' then d.warehouse_id
      when 'wardReceipt' then d.warehouse_id
    end
  where
    d.org_id = :organisation
    and d.role = 'own'
    and (
      d.kind in ('giveOdo', 'otherOdo', 'loss', 'scrap')
      or (
        d.kind in ('transfer', 'transferReturn')
        and d.counterparty_id is not null
      )
      or (
        d.kind in ('departmentUse', 'surgeryUse')
        and w.accounting = 'use'
      )
      or (
        t.accounting = 'issue'
        and d.kind in ('grantOdo', 'grantReturn')
        and m.warehouse_id = case d.kind
          when 'grantOdo' then d.warehouse_id
          else d.to_warehouse_id
        end
      )
      or (
        t.accounting = 'receipt'
        and (
          (
            d.kind = 'wardReceipt'
            and m.warehouse_id = d.warehouse_id
          )
          -- What never arrived was not spent either.
          or (
            d.kind = 'grantReturn'
            and d.source_type = 1
            and m.warehouse_id = d.to_warehouse_id
          )
        )
      )
    )
    and d.state in ('reviewed', 'partial', 'completed', 'reversed')
    and m.owner_id = :organisation
    and d.reviewed_at >= :begin_date::timestamp at time zone 'Asia/Shanghai'
    and d.reviewed_at < (:end_date + 1)::timestamp at time zone 'Asia/Shanghai'
    and w.model not in ('transit', 'consumed')
    and {{ warehouse_scope(m.warehouse_id) }}
    and {{ department_scope(w.department_id) }}
    and {{ author_scope(d.created_by, d.submitted_by) }}
  group by
    d.id,
    d.kind,
    d.sn,
    d.reviewed_at,
    d.counterparty_id,
    d.department_id,
    t.department_id,
    w.department_id,
    m.warehouse_id,
    m.line_no,
    m.specification_id,
    m.lot_id
),
gone as (
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
  select
    x.id,
    x.kind,
    x.sn,
    x.at,
    x.counterparty_id,
    x.department_id,
    x.warehouse_id,
    x.line_no,
    x.specification_id,
    l.lot_no,
    x.quantity,
    0,
    null,
    0,
    0,
    x.cost,
    0,
    null
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
    p.code as product_code,
    p.name as product_name,
    s.name as specification_name,
    o.name as manufacturer_name,
    x.lot_no,
    s.unit_name,
    x.quantity::numeric(18, 3) as quantity,
    x.untaxed_amount::numeric(18, 2) as untaxed_amount,
    x.tax_rate,
    x.tax_amount::numeric(18, 2) as tax_amount,
    x.taxed_amount::numeric(18, 2) as taxed_amount,
    x.cost::numeric(18, 2) as cost,
    case
      when x.tax_rate is not null then (x.untaxed_amount - x.cost)::numeric(18, 2)
    end as profit,
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
    gone x
    join specification s on s.id = x.specification_id
    join product p on p.id = s.product_id
    join organisation o on o.id = p.manufacturer_id
    left join organisation c on c.id = x.counterparty_id
    left join department e on e.org_id = :organisation
    and e.id = x.department_id
    left join warehouse w on w.org_id = :organisation
    and w.id = x.warehouse_id
    left join hospital_product h on h.org_id = :organisation
    and h.specification_id = x.specification_id
    left join finance_class fc on fc.specification_id = x.specification_id
    and (x.at at time zone 'Asia/Shanghai')::date between fc.valid_from and fc.valid_to
  where
    (
      :document_kind is null
      or x.kind = :document_kind
    )
    and (
      :counterparty_sn is null
      or x.counterparty_id = :counterparty_sn
    )
    and (
      :warehouse_model_inner_sn is null
      or x.warehouse_id = :warehouse_model_inner_sn
    )
    and {{ same_specification(x.specification_id, :specification_sn) }}
    and {{ named_product(p.name, p.code) }}
    and {{ made_by(o.name) }}
    and (
      :document_sn is null
      or x.sn = :document_sn
    )
    and (
      :department_inner_sn is null
      or x.department_id = :department_inner_sn
    )
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
    and (
      :is_charged is null
      or :is_charged = coalesce(h.is_chargeable, x.tax_rate is not null)
    )
    and {{ of_class_at(:finance_class_sn, x.specification_id, x.at) }}
)
