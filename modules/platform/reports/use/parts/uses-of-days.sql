-- The uses in the days of `use_days` (`since`, `until`), a row a line with its cost, charge and settlement: the
-- hospital reads its own uses; an owner, supplier or maker those that were reported to him, without department, doctor
-- or patient. A use that was taken back counts on its own day with a minus; the charged and settled amounts of a use
-- are shown on the use, less what was given back of it. A hospital's cost is with tax: for its own goods the cost of
-- the stock that they left; for others' the agreed price, and later the amount settled, sold or received. Each reader
-- of a report sees the price that he pays or gets himself.
used as (
  select
    {{ columns_of(d, id, sn, kind, role, counterparty_id, department_id, warehouse_id, handler_id) }},
    d.business_date as used_on,
    d.fields ->> 'used_at' as used_at,
    d.fields ->> 'replenish_state' as replenish_state,
    d.fields ->> 'compare_state' as compare_state,
    d.red_of_id,
    coalesce(d.red_of_id, d.id) as first_id,
    case
      when {{ feeds(d.kind, used_in_surgery) }} then 'surgery'
      else coalesce(d.fields ->> 'use_type', 'consume')
    end as use_type,
    coalesce(d.fields ->> 'report_basis', 'consigned') as report_basis,
    (d.fields ->> 'doctor_inner_sn')::bigint as doctor_id,
    d.fields ->> 'surgery_name' as surgery_name,
    d.fields ->> 'patient_name' as patient_name,
    d.fields ->> 'admission_no' as admission_no,
    d.fields ->> 'patient_sex' as patient_sex,
    d.fields ->> 'patient_age' as patient_age,
    d.fields ->> 'patient_no' as patient_no,
    case
      when {{ feeds(d.kind, used_in_surgery) }}
      or d.fields ->> 'admission_no' <> '' then 'inpatient'
      else coalesce(d.fields ->> 'visit_type', 'inpatient')
    end as visit_type,
    {{ columns_of(l, line_no, specification_id, lot_id, lot_no, expiry_date, unit_codes, base_quantity) }},
    l.taxed_amount,
    case
      when d.role = 'own' then coalesce(l.owner_org_id, d.org_id) <> d.org_id
      else l.owner_org_id = :organisation
      or (
        l.owner_org_id is null
        and coalesce(d.fields ->> 'report_basis', 'consigned') = 'consigned'
      )
    end as is_consigned,
    {{ only_where(l.owner_org_id, coalesce(l.owner_org_id, d.org_id) <> d.org_id) }} as owner_id,
    coalesce((l.fields ->> 'granted_quantity')::numeric, 0) as granted,
    l.fields ->> 'stock_source' = 'loan' as is_lent
  from
    use_days y
    cross join document d {{ lines_of(d.id) }}
  where
    d.org_id = :organisation
    and {{ counted(d, used) }}
    and d.business_date between y.since and y.until
    and {{ document_scope(d) }}
),
-- Lent goods that were used are sold by their owner and received by the hospital: both documents refer to the line of
-- the use.
lent as (
  select
    u.first_id as use_document_id,
    case
      when x.delivery_document_id = u.first_id then x.delivery_line_no
      else x.source_line_no
    end as use_line_no,
    t.id as document_id,
    x.line_no,
    case
      when not p.is_received then 'settling'
      when abs(i.taken) >= abs(x.base_quantity) then 'invoiced'
      else 'received'
    end as state,
    p.quantity,
    share_between (
      x.taxed_amount,
      case
        when p.is_received then 0
        else r.taken
      end,
      p.quantity,
      x.base_quantity
    ) as amount
  from
    (
      select distinct
        first_id,
        role
      from
        used
      where
        is_lent
    ) u
    join document_line x on x.org_id = :organisation
    and (
      x.source_document_id = u.first_id
      or x.delivery_document_id = u.first_id
    )
    join {{ own(document, t, id = x.document_id) }}
    left join {{ own(line_progress, g, document_id = x.document_id, line_no = x.line_no, purpose = 'receive') }}
    left join {{ own(line_progress, i, document_id = x.document_id, line_no = x.line_no, purpose = 'invoice') }}
    cross join lateral (
      select
        {{ feeds(t.kind, purchased) }} as is_receipt,
        coalesce(g.taken, 0) as taken
    ) r
    cross join lateral (
      -- The received quantity is in the hospital's own receipt; the supplier knows it by the progress of its sale.
      values
        (
          true,
          case
            when r.is_receipt then x.base_quantity
            when u.role = 'counterparty' then r.taken
          end
        ),
        (false, {{ only_where(x.base_quantity - r.taken, not r.is_receipt) }})
    ) p (is_received, quantity)
  where
    p.quantity <> 0
    and (
      {{ counted(t, purchased, sold_as_used) }}
      or u.role = 'own'
      and t.role = 'counterparty'
      and {{ feeds(t.kind, sold_as_used) }}
      and t.state <> 'cancelled'
    )
),
-- The quantity and amount of a use that are to be paid, as the hospital settles it: by the use, by the grant that
-- covers it, or by the sale.
due as (
  select
    {{ columns_of(s, use_document_id, use_line_no, quantity, amount) }},
    s.nets_id is null as is_first,
    s.state,
    s.settlement_id
  from
    settlement_line s
  where
    s.org_id = :organisation
    and s.use_document_id in {{ column_of(used, first_id) }}
  union all
  select
    {{ columns_of(c, use_document_id, use_line_no, quantity) }},
    round(c.quantity * coalesce(s.price, 0), 2),
    true,
    s.state,
    s.settlement_id
  from
    settlement_cover c
    join {{ own(settlement_line, s, id = c.grant_line_id) }}
  where
    c.org_id = :organisation
    and c.use_document_id in {{ column_of(used, first_id) }}
  union all
  select
    use_document_id,
    use_line_no,
    sum(quantity),
    sum(amount),
    true,
    state,
    max(document_id)
  from
    lent
  group by all
  having
    sum(quantity) <> 0
  union all
  -- The owner reads the settlements that were sent to him.
  select
    {{ columns_of(x, source_document_id, source_line_no, base_quantity, taxed_amount) }},
    x.base_quantity > 0,
    case
      when t.fields ->> 'settled_on' is null then 'settling'
      when exists (
        select
          1
        from
          document_line y
          join {{ own(document, g, id = y.document_id) }}
          join {{ own(line_progress, i, document_id = y.document_id, line_no = y.line_no, purpose = 'invoice') }}
        where
          y.org_id = :organisation
          and y.source_document_id = x.document_id
          and y.source_line_no = x.line_no
          and {{ counted(g, titled) }}
          and abs(i.taken) >= abs(y.base_quantity)
      ) then 'invoiced'
      else 'settled'
    end,
    t.id
  from
    document_line x
    join {{ own(document, t, id = x.document_id) }}
  where
    x.org_id = :organisation
    and x.source_document_id in (
      select
        first_id
      from
        used
      where
        role = 'counterparty'
    )
    and {{ feeds(t.kind, settled) }}
    and t.role = 'counterparty'
    and t.state <> 'cancelled'
),
settled as (
  select
    use_document_id,
    use_line_no,
    {{ filtered(sum(amount), is_first) }} / nullif({{ filtered(sum(quantity), is_first) }}, 0) as price,
    {{ sum_where(quantity, state in ('settled', 'received', 'invoiced', 'paid')) }} as quantity,
    {{ sum_where(amount, state in ('settled', 'received', 'invoiced', 'paid')) }} as amount,
    case
      when bool_and(state in ('settled', 'received', 'invoiced', 'paid', 'netted')) then 'settled'
      when bool_or(state in ('settling', 'settled', 'received', 'invoiced', 'paid')) then 'settling'
      else 'waiting'
    end as stage,
    bool_and(state in ('invoiced', 'paid')) as is_billed,
    max(settlement_id) as settlement_id
  from
    due
  group by all
),
charged as (
  select
    c.use_document_id,
    c.use_line_no,
    round(sum((c.quantity - c.returned) * coalesce(c.factor, 1)), 4) as due_quantity,
    sum(c.charged_quantity) as quantity,
    round(sum((c.quantity - c.returned) * c.charge_price), 2) as due_amount,
    round(sum((c.quantity - c.returned) * c.cost_price), 2) as cost,
    coalesce(sum(k.amount), 0) as amount,
    min(c.charge_price) as charge_price,
    case
      when bool_or(c.state = 'missed') then 'missed'
      when bool_or(c.state in ('over', 'refunded')) then 'over'
      when bool_or(c.state = 'waiting') then 'waiting'
      when bool_or(c.state = 'checked') then 'checked'
      else 'waived'
    end as state
  from
    use_check c
    left join lateral (
      select
        sum(l.amount) as amount
      from
        charge_link_amount l
      where
        l.org_id = :organisation
        and l.use_check_id = c.id
    ) k on true
  where
    c.org_id = :organisation
    and c.use_document_id in {{ column_of(used, first_id) }}
  group by all
),
bought_lot as (
  select
    lot_id
  from
    used
  where
    owner_id is null
    and role = 'own'
),
{{ part(platform/reports/brought) }},
use_rows as (
  select
    u.*,
    coalesce(u.owner_id, b.counterparty_id) as supplier_id,
    case
      when u.role = 'counterparty'
      and u.report_basis = 'made' then null
      when u.is_consigned then coalesce(round(u.base_quantity * s.price, 2), u.taxed_amount)
      else u.taxed_amount
    end as amount,
    case
      when not u.is_consigned then 'none'
      when u.role = 'counterparty'
      and s.quantity is null
      and u.granted >= abs(u.base_quantity) then 'settled'
      else coalesce(s.stage, 'waiting')
    end as settled_stage,
    case
      when not u.is_consigned
      or u.red_of_id is not null then 0
      else coalesce(s.quantity, 0)
    end as settled_quantity,
    case
      when not u.is_consigned
      or u.red_of_id is not null then 0
      else coalesce(s.amount, 0)
    end as settled_amount,
    s.settlement_id,
    s.is_billed,
    case
      when u.role = 'own' then coalesce(c.state, 'none')
    end as charge_state,
    {{ value_where(coalesce(c.due_quantity, 0), u.red_of_id is null) }} as due_charge_quantity,
    {{ value_where(coalesce(c.quantity, 0), u.red_of_id is null) }} as charged_quantity,
    {{ value_where(coalesce(c.amount, 0), u.red_of_id is null) }} as charged_amount,
    {{ value_where(coalesce(c.due_amount, 0), u.red_of_id is null) }} as due_charge_amount,
    c.use_document_id is not null as is_chargeable,
    c.charge_price
  from
    used u
    left join settled s on s.use_document_id = u.first_id
    and s.use_line_no = u.line_no
    left join charged c on c.use_document_id = u.first_id
    and c.use_line_no = u.line_no
    left join brought b on u.owner_id is null
    and b.lot_id = u.lot_id
)
