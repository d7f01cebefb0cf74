-- Goods count as reagents before they count as of high value, all others as of low value.
with
  {{ part(use-rows) }},
  {{ part(platform/reports/classed, class => :custom_type_sn) }},
  {{ part(platform/reports/finance-class) }}
select
  concat_ws('-', x.role, x.sn, x.line_no) as row_key,
  x.used_on,
  {{ only_where(x.used_on, x.use_type = 'surgery') }} as operated_on,
  x.sn as document_sn,
  x.kind as document_kind,
  x.role,
  x.use_type,
  h.name as hospital_name,
  x.counterparty_id::text as counterparty_sn,
  e.name as department_name,
  x.department_id::text as department_sn,
  w.name as warehouse_name,
  j.name as doctor_name,
  x.doctor_id::text as doctor_sn,
  {{ columns_of(x, surgery_name, admission_no, patient_name) }},
  {{ goods_columns(product_code, product_name, specification_name) }},
  x.specification_id::text as specification_sn,
  s.unit_name,
  o.name as manufacturer_name,
  v.name as supplier_name,
  x.supplier_id::text as supplier_sn,
  fc.name as class_name,
  fc.class_id::text as class_sn,
  x.lot_no,
  x.expiry_date,
  array_to_string(x.unit_codes, '、') as codes,
  x.base_quantity::numeric(18, 3) as quantity,
  round(x.amount / nullif(x.base_quantity, 0), 4) as price,
  x.amount::numeric(18, 2) as amount,
  {{ regime_of(x.is_consigned) }} as regime,
  x.charge_state,
  x.settled_stage,
  t.sn as settlement_no,
  t.kind as settlement_kind,
  -- The columns that the analyses add up.
  x.first_id,
  {{ value_where(x.base_quantity, x.red_of_id is null) }}::numeric(18, 3) as used_quantity,
  {{ value_where(- x.base_quantity, x.red_of_id is not null) }}::numeric(18, 3) as returned_quantity,
  {{ value_where(x.amount, x.red_of_id is null) }}::numeric(18, 2) as used_amount,
  {{ value_where(- x.amount, x.red_of_id is not null) }}::numeric(18, 2) as returned_amount,
  x.settled_quantity::numeric(18, 3) as settled_quantity,
  {{ value_where(x.base_quantity - x.settled_quantity, x.is_consigned) }}::numeric(18, 3) as unsettled_quantity,
  case
    when x.is_consigned then x.settled_amount
    else x.amount
  end::numeric(18, 2) as settled_amount,
  {{ value_where(x.amount - x.settled_amount, x.is_consigned) }}::numeric(18, 2) as unsettled_amount,
  {{ value_class_of(p) }} as value_class,
  {{ value_where(x.amount, not p.is_reagent and p.is_high_value) }}::numeric(18, 2) as high_amount,
  {{ value_where(x.amount, not p.is_reagent and not p.is_high_value) }}::numeric(18, 2) as low_amount,
  {{ value_where(x.amount, p.is_reagent) }}::numeric(18, 2) as reagent_amount,
  {{ columns_of(x, visit_type, patient_sex, patient_age, is_chargeable, charge_price) }},
  x.due_charge_quantity::numeric(18, 3) as due_charge_quantity,
  x.charged_quantity::numeric(18, 3) as charged_quantity,
  (x.due_charge_quantity - x.charged_quantity)::numeric(18, 3) as charge_gap,
  x.due_charge_amount::numeric(18, 2) as due_charge_amount,
  x.charged_amount::numeric(18, 2) as charged_amount,
  (x.charged_amount - x.due_charge_amount)::numeric(18, 2) as charge_difference,
  -- The patient's charge: the charged amount, and for goods not charged yet the charge price, unless it is waived.
  n.income::numeric(18, 2) as income,
  n.estimated::numeric(18, 2) as estimated_income,
  case
    when x.visit_type = 'inpatient' then 0
    else n.income
  end::numeric(18, 2) as outpatient_income,
  {{ value_where(n.income, x.visit_type = 'inpatient') }}::numeric(18, 2) as inpatient_income,
  {{ value_where(x.amount, x.is_chargeable) }}::numeric(18, 2) as chargeable_cost,
  case
    when x.is_chargeable then 0
    else x.amount
  end::numeric(18, 2) as unchargeable_cost,
  {{ value_where(n.income - x.amount, x.is_chargeable) }}::numeric(18, 2) as surplus,
  -- A case is a stay or a visit: several operations in one are one.
  nullif(coalesce(x.admission_no, x.patient_no, ''), '') as case_no,
  {{ value_where(x.amount, coalesce(x.admission_no, x.patient_no, '') <> '') }}::numeric(18, 2) as case_amount
from
  use_rows x
  cross join lateral (
    select
      case
        when x.charge_state = 'waived'
        or x.due_charge_quantity <= x.charged_quantity then 0
        else round(x.due_charge_amount * (1 - x.charged_quantity / x.due_charge_quantity), 2)
      end as estimated
  ) y
  cross join lateral (
    select
      y.estimated,
      x.charged_amount + y.estimated as income
  ) n {{ goods(x.specification_id) }}
  left join organisation h on x.role = 'counterparty'
  and h.id = x.counterparty_id
  left join organisation v on v.id = x.supplier_id
  left join department e on e.org_id = :organisation
  and e.id = x.department_id {{ store_if_any(x.warehouse_id) }}
  left join employee j on j.org_id = :organisation
  and j.id = x.doctor_id {{ class_on(x.used_on) }}
  left join {{ own(document, t, id = x.settlement_id) }}
where
  {{ narrowed(x, counterparty_sn, department_inner_sn, warehouse_model_inner_sn, supplier_sn) }}
  and {{ asked_goods(x.specification_id) }}
  and {{ of_class(:custom_type_sn, x.specification_id, x.used_on) }}
  and {{ asked(x.use_type, :use_type) }}
  and {{ of_lot(x.lot_no, :lot_no) }}
  and {{ narrowed(x, unit_code, regime) }}
  and {{ of_value(p) }}
  and {{ asked(p.is_implant, :is_implant) }}
  and {{ narrowed(x, charge_state, settled_stage) }}
  and {{ asked(x.doctor_id, :doctor_inner_sn) }}
  and {{ contains(x.surgery_name, :surgery_name) }}
  and {{ narrowed(x, is_chargeable, visit_type) }}
  and {{ if_asked(:patient_no, :patient_no in (x.admission_no, x.patient_no)) }}
  and {{ contains(x.patient_name, :patient_name) }}
  and (
    :has_patient is not true
    or coalesce(x.admission_no, x.patient_no, '') <> ''
  )
  and (
    :is_collective is not true
    or exists (
      select
        1
      from
        hospital_product g
      where
        g.org_id = :organisation
        and g.specification_id = x.specification_id
        and g.collective_batch is not null
        and x.used_on between g.collective_from and g.collective_to
    )
  )
order by
  x.used_on desc,
  x.sn desc,
  x.line_no
