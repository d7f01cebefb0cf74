-- Faults in supplying the departments' stores, a row an occurrence, with how each was handled.
with
  {{ part(platform/reports/classed, class => :custom_type_sn) }},
  {{ part(platform/reports/finance-class) }},
  {{ part(platform/reports/claimed-lines) }},
  {{ part(platform/reports/restock-rows) }}
select
  {{ columns_of(x, row_key, day, abnormality) }},
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
  {{ only_where('requisition', x.claim_sn is not null) }} as claim_kind,
  x.asked::numeric(18, 3) as asked_quantity,
  {{ only_where(x.granted, x.claim_sn is not null) }}::numeric(18, 3) as granted_quantity,
  x.received::numeric(18, 3) as received_quantity,
  {{ columns_of(x, begun_at, ended_at, hours) }},
  x.hours is not null
  and x.ended_at is null as is_open,
  {{ only_where(1, x.hours is not null) }} as lasting,
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
  {{ narrowed(x, department_inner_sn, warehouse_model_inner_sn, abnormality, cause) }}
  and {{ if_asked(:handling, (:handling = 'handled') = x.is_handled) }}
  and {{ asked_goods(x.specification_id) }}
  and {{ of_class(:custom_type_sn, x.specification_id, x.day) }}
order by
  x.begun_at desc,
  x.row_key
