-- Faults in supplying the departments' stores, a row an occurrence, with how each was handled.
with
  {{ part(platform/reports/classed, class => :custom_type_sn) }},
  {{ part(platform/reports/finance-class) }},
  {{ part(platform/reports/claimed-lines) }},
  {{ part(platform/reports/restock-rows) }}
select
  x.row_key,
  x.day,
  x.abnormality,
  e.name as department_name,
  x.department_id::text as department_sn,
  w.name as warehouse_name,
  x.warehouse_id::text as warehouse_sn,
  {{ goods_columns(product_code, product_name, specification_name) }},
  x.specification_id::text as specification_sn,
  s.unit_name,
  o.name as manufacturer_name,
  fc.name as class_name,
  x.min_quantity,
  x.max_quantity,
  x.on_hand::numeric(18, 3) as stock,
  x.coming::numeric(18, 3) as coming_quantity,
  x.claim_sn,
  case
    when x.claim_sn is not null then 'requisition'
  end as claim_kind,
  x.asked::numeric(18, 3) as asked_quantity,
  case
    when x.claim_sn is not null then x.granted
  end::numeric(18, 3) as granted_quantity,
  x.received::numeric(18, 3) as received_quantity,
  x.begun_at,
  x.ended_at,
  x.hours,
  x.hours is not null
  and x.ended_at is null as is_open,
  case
    when x.hours is not null then 1
  end as lasting,
  x.cause,
  case
    when x.is_handled then 'handled'
    else 'open'
  end as handling,
  x.is_handled::int as handled,
  x.note
from
  restock_rows x {{ goods(x.specification_id) }} {{ store_if_any(x.warehouse_id) }}
  left join department e on e.org_id = :organisation
  and e.id = x.department_id {{ class_on(x.day) }}
where
  {{ asked(x.department_id, :department_inner_sn) }}
  and {{ asked(x.warehouse_id, :warehouse_model_inner_sn) }}
  and {{ asked(x.abnormality, :abnormality) }}
  and {{ asked(x.cause, :cause) }}
  and (
    :handling is null
    or (:handling = 'handled') = x.is_handled
  )
  and {{ asked_goods(x.specification_id) }}
  and {{ of_class(:custom_type_sn, x.specification_id, x.day) }}
order by
  x.begun_at desc,
  x.row_key
