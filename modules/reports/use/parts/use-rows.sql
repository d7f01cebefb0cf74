-- What was used in the period, a row a line with its price, charge and settlement: the hospital reads its own uses, an
-- owner, supplier or maker those that were reported to him, which know no department, doctor or patient. What was taken
-- back stands on its own day with a minus; what was charged and settled of a use stands on the use, less what was given
-- back of it.
used as (
  select
    d.id,
    d.sn,
    d.kind,
    d.role,
    d.counterparty_id,
    d.department_id,
    d.warehouse_id,
    d.business_date as used_on,
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
    l.line_no,
    l.specification_id,
    l.lot_id,
    l.lot_no,
    l.expiry_date,
    l.unit_codes,
    l.base_quantity,
    l.taxed_amount,
    case
      when d.role = 'own' then coalesce(l.owner_org_id, d.org_id) <> d.org_id
      else l.owner_org_id = :organisation
      or (
        l.owner_org_id is null
        and coalesce(d.fields ->> 'report_basis', 'consigned') = 'consigned'
      )
    end as is_consigned,
    case
      when coalesce(l.owner_org_id, d.org_id) <> d.org_id then l.owner_org_id
    end as owner_id,
    coalesce((l.fields ->> 'granted_quantity')::numeric, 0) as granted
  from
    document d
    join document_line l on l.org_id = :organisation
    and l.document_id = d.id
  where
    d.org_id = :organisation
    and {{ feeds(d.kind, used) }}
    and (
      (
        d.role = 'own'
        and d.state in ('reviewed', 'partial', 'completed', 'reversed')
      )
      or (
        d.role = 'counterparty'
        and d.state <> 'cancelled'
      )
    )
    and d.business_date between :begin_date and :end_date
    and {{ warehouse_scope(d.warehouse_id) }}
    and {{ department_scope(d.department_id) }}
    and {{ author_scope(d.created_by, d.submitted_by) }}
),
-- What of a use is to be paid for, as the hospital settles it: by the use, or by the grant that covers it.
due as (
  select
    s.use_document_id,
    s.use_line_no,
    s.quantity,
    s.amount,
    s.nets_id is null as is_first,
    s.state,
    s.settlement_id
  from
    settlement_line s
  where
    s.org_id = :organisation
    and s.use_document_id in (
      select
        first_id
      from
        used
    )
  union all
  select
    c.use_document_id,
    c.use_line_no,
    c.quantity,
    round(c.quantity * coalesce(s.price, 0), 2),
    true,
    s.state,
    s.settlement_id
  from
    settlement_cover c
    join settlement_line s on s.org_id = :organisation
    and s.id = c.grant_line_id
  where
    c.org_id = :organisation
    and c.use_document_id in (
      select
        first_id
      from
        used
    )
    -- The owner reads the settlements that were sent to him.
  union all
  select
    x.source_document_id,
    x.source_line_no,
    x.base_quantity,
    x.taxed_amount,
    false,
    case
      when t.fields ->> 'settled_on' is not null then 'settled'
      else 'settling'
    end,
    t.id
  from
    document_line x
    join document t on t.org_id = :organisation
    and t.id = x.document_id
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
    sum(amount) filter (
      where
        is_first
    ) / nullif(
      sum(quantity) filter (
        where
          is_first
      ),
      0
    ) as price,
    coalesce(
      sum(quantity) filter (
        where
          state in ('settled', 'received', 'invoiced', 'paid')
      ),
      0
    ) as quantity,
    coalesce(
      sum(amount) filter (
        where
          state in ('settled', 'received', 'invoiced', 'paid')
      ),
      0
    ) as amount,
    case
      when bool_and(state in ('settled', 'received', 'invoiced', 'paid', 'netted')) then 'settled'
      when bool_or(state in ('settling', 'settled', 'received', 'invoiced', 'paid')) then 'settling'
      else 'waiting'
    end as stage,
    max(settlement_id) as settlement_id
  from
    due
  group by
    use_document_id,
    use_line_no
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
        sum(round(h.amount * l.quantity / h.quantity, 2)) as amount
      from
        charge_link l
        join his_charge h on h.org_id = :organisation
        and h.id = l.his_charge_id
      where
        l.org_id = :organisation
        and l.use_check_id = c.id
    ) k on true
  where
    c.org_id = :organisation
    and c.use_document_id in (
      select
        first_id
      from
        used
    )
  group by
    c.use_document_id,
    c.use_line_no
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
{{ part(reports/brought) }},
use_rows as (
  select
    u.*,
    coalesce(u.owner_id, b.counterparty_id) as supplier_id,
    case
      when u.role = 'counterparty'
      and u.report_basis = 'made' then null
      when u.role = 'own'
      and u.is_consigned then round(u.base_quantity * coalesce(s.price, 0), 2)
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
    case
      when u.role = 'own' then coalesce(c.state, 'none')
    end as charge_state,
    case
      when u.red_of_id is null then coalesce(c.due_quantity, 0)
      else 0
    end as due_charge_quantity,
    case
      when u.red_of_id is null then coalesce(c.quantity, 0)
      else 0
    end as charged_quantity,
    case
      when u.red_of_id is null then coalesce(c.amount, 0)
      else 0
    end as charged_amount,
    case
      when u.red_of_id is null then coalesce(c.due_amount, 0)
      else 0
    end as due_charge_amount,
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
