-- Lines of the documents that invoices of :invoice_kind cover, with the covered quantities; of one :handler if one is
-- given.
with
  line as (
    select
      {{ columns_of(d, id, kind, sn, business_date, counterparty_id, warehouse_id, handler_id, red_of_id) }},
      case d.role
        when 'counterparty' then d.from_org_id
      end as from_org_id,
      {{ columns_of(l, line_no, specification_id, lot_no) }},
      coalesce(u.name, s.unit_name) as unit_name,
      coalesce(k.price, l.price) as price,
      coalesce(k.tax_rate, l.tax_rate) as tax_rate,
      v.sign,
      -- A return stands with its minus sign; only the part that was invoiced before still needs an invoice, a red one.
      v.sign * l.quantity as quantity,
      v.sign * l.base_quantity as base_quantity,
      v.sign * (l.taxed_amount + coalesce(k.taxed_amount, 0)) as taxed_amount,
      coalesce(r.taken, 0) + coalesce(b.taken, 0) as gone,
      v.sign * (coalesce(g.taken, 0) - v.closed) as taken,
      v.sign * greatest(l.base_quantity - coalesce(r.taken, 0) - coalesce(b.taken, 0) - coalesce(g.taken, 0), 0) as open
    from
      document d
      join document_line l on l.org_id = d.org_id
      and l.document_id = d.id
      join specification s on s.id = l.specification_id
      left join pack_unit u on u.id = l.unit_id
      cross join lateral (
        select
          g.sign,
          case g.sign
            when 1 then 0
            else l.base_quantity - coalesce((l.fields ->> 'red_quantity')::numeric, 0)
          end as closed
        from
          (
            select
              invoice_sign (:invoice_kind, d.kind, d.role, d.regime) as sign
          ) g
      ) v
      -- Corrections of the line are added: an invoice over it has their price.
      left join lateral (
        select
          sum(c.taxed_amount) as taxed_amount,
          (
            array_agg(
              (c.fields ->> 'new_price')::numeric
              order by
                m.reviewed_at desc,
                m.id desc
            ) filter (
              where
                c.fields ->> 'new_price' is not null
            )
          ) [1] as price,
          (
            array_agg(
              c.tax_rate
              order by
                m.reviewed_at desc,
                m.id desc
            ) filter (
              where
                c.fields ->> 'new_rate' is not null
            )
          ) [1] as tax_rate
        from
          document_line c
          join {{ own(document, m, id = c.document_id) }}
        where
          c.org_id = :organisation
          and c.source_document_id = d.id
          and c.source_line_no = l.line_no
          and m.kind = any (correcting_kinds ())
          and m.role = 'own'
          and m.state in ('reviewed', 'completed')
      ) k on true {{ progress_of(b, return) }} {{ progress_of(g, invoice) }} {{ progress_of(r, reverse) }}
    where
      d.org_id = :organisation
      and l.org_id = :organisation
      and d.kind = any (invoiced_kinds (:invoice_kind))
      and invoice_sign (:invoice_kind, d.kind, d.role, d.regime) is not null
      and d.state in ('reviewed', 'partial', 'completed', 'reversed')
      and (
        :with_red is true
        or (
          d.state <> 'reversed'
          and d.red_of_id is null
        )
      )
      and {{ asked(d.counterparty_id, :counterparty_sn) }}
      and {{ asked(d.sn, :source_sn) }}
      and {{ asked(d.kind, :source_kind) }}
      and {{ from(d.business_date, :begin_date) }}
      and {{ until(d.business_date, :end_date) }}
      and {{ asked(d.warehouse_id, :warehouse_model_inner_sn) }}
      and {{ asked(l.specification_id, :specification_sn) }}
      and {{ of_lot(l.lot_no, :lot_no) }}
      and {{ warehouse_scope(d.warehouse_id) }}
      and {{ department_scope(d.department_id) }}
  ),
  counted as (
    -- The quantity that invoices took, converted from base units to the unit of the line.
    select
      line.*,
      round(taken * quantity / base_quantity, 3) as invoiced_quantity,
      {{ value_where(round(open * quantity / base_quantity, 3), red_of_id is null) }} as uninvoiced_quantity,
      -- All that is left of the amount: earlier invoices took the amounts on their lines.
      case
        when red_of_id is not null
        or open = 0 then 0
        when sign < 0 then round(taxed_amount * open / base_quantity, 2)
        else taxed_amount - coalesce(i.worth, 0) - round(taxed_amount * gone / base_quantity, 2)
      end as uninvoiced_amount,
      {{ columns_of(i, invoice_no, invoice_type, invoice_date) }},
      i.amount as invoiced_amount,
      i.paid as paid_amount,
      i.is_dated,
      coalesce(i.pay_state, '1') as pay_state
    from
      line
      left join lateral (
        select
          string_agg(distinct v.fields ->> 'invoice_no', '、') as invoice_no,
          min(v.fields ->> 'invoice_type') as invoice_type,
          max(v.fields ->> 'invoice_date') as invoice_date,
          sum(x.taxed_amount) as amount,
          sum(coalesce((x.fields ->> 'source_amount')::numeric, x.taxed_amount)) as worth,
          sum(paid_for_goods (coalesce(p.taken, 0), x.taxed_amount, x.rounding)) as paid,
          bool_or(
            (
              :begin_invoice_date is null
              or v.fields ->> 'invoice_date' >= to_char(:begin_invoice_date, 'YYYY-MM-DD')
            )
            and (
              :end_invoice_date is null
              or v.fields ->> 'invoice_date' <= to_char(:end_invoice_date, 'YYYY-MM-DD')
            )
          ) as is_dated,
          case
            when bool_and(y.pay_state = '3') then '3'
            when bool_or(y.pay_state <> '1') then '2'
            else '1'
          end as pay_state
        from
          document_line x
          join document v on v.org_id = x.org_id
          and v.id = x.document_id
          left join {{ own(line_progress, p, document_id = x.document_id, line_no = x.line_no, purpose = 'pay') }}
          cross join lateral (
            select
              {{ derived_state(v, pay_state) }} as pay_state
          ) y
        where
          x.org_id = :organisation
          and v.org_id = :organisation
          and x.source_document_id = line.id
          and x.source_line_no = line.line_no
          and v.kind = :invoice_kind
          and v.role = 'own'
          and v.state in ('reviewed', 'partial', 'completed', 'reversed')
      ) i on true
    where
      base_quantity <> 0
  )
select
  c.invoice_no,
  c.invoice_type,
  c.invoice_date::date as invoice_date,
  o.name as counterparty_name,
  c.kind as source_kind,
  c.sn as source_sn,
  c.business_date,
  w.name as warehouse_name,
  p.name as product_name,
  s.name as specification_name,
  {{ columns_of(c, lot_no, unit_name, quantity) }},
  c.invoiced_quantity::numeric(18, 3) as invoiced_quantity,
  c.uninvoiced_quantity::numeric(18, 3) as uninvoiced_quantity,
  {{ columns_of(c, price, tax_rate, taxed_amount) }},
  coalesce(c.invoiced_amount, 0)::numeric(18, 2) as invoiced_amount,
  c.uninvoiced_amount::numeric(18, 2) as uninvoiced_amount,
  coalesce(c.paid_amount, 0)::numeric(18, 2) as paid_amount,
  case
    when c.invoiced_quantity = 0 then 'none'
    when c.uninvoiced_quantity = 0 then 'whole'
    else 'part'
  end as invoice_state,
  {{ when_grouped(:grouped_by_month, to_char(c.business_date, 'YYYY-MM')) }} as month,
  c.counterparty_id::text as counterparty_sn,
  c.from_org_id::text as source_org_sn,
  c.line_no as source_line_no,
  e.name as handler_name,
  c.pay_state
from
  counted c {{ product_of(c.specification_id) }}
  left join organisation o on o.id = c.counterparty_id {{ store_if_any(c.warehouse_id) }}
  left join {{ own(employee, e, id = c.handler_id) }}
where
  {{ narrowed(c, invoice_no, pay_state) }}
  and {{ asked(c.handler_id, :handler) }}
  and (
    (
      :begin_invoice_date is null
      and :end_invoice_date is null
    )
    or c.is_dated
  )
  and (
    :invoice_state is null
    or case :invoice_state
      when 'open' then c.uninvoiced_quantity <> 0
      when 'none' then c.invoiced_quantity = 0
      when 'whole' then c.uninvoiced_quantity = 0
      and c.invoiced_quantity <> 0
      else c.invoiced_quantity <> 0
      and c.uninvoiced_quantity <> 0
    end
  )
order by
  c.sn desc,
  c.line_no
