-- The uses of wards, a row a line; a use that was taken back counts on its own day with a minus.
with
  {{ part(platform/reports/use/use-rows) }}
select
  x.sn as document_sn,
  x.kind as document_kind,
  x.role,
  x.use_type,
  e.name as department_name,
  w.name as warehouse_name,
  {{ goods_columns(product_code, product_name, specification_name, manufacturer_name) }},
  x.lot_no,
  x.expiry_date,
  array_to_string(x.unit_codes, '、') as codes,
  x.base_quantity::numeric(18, 3) as quantity,
  s.unit_name,
  x.amount::numeric(18, 2) as amount,
  {{ regime_of(x.is_consigned) }} as regime,
  x.settled_stage,
  h.name as handler_name,
  x.used_at::timestamptz as used_at
from
  use_rows x {{ goods(x.specification_id) }} {{ department_if_any(x.department_id) }} {{ store_if_any(x.warehouse_id) }}
  left join {{ own(employee, h, id = x.handler_id) }}
where
  {{ feeds(x.kind, used_in_ward) }}
  and x.role = 'own'
  and {{ narrowed(x, department_inner_sn, warehouse_model_inner_sn, specification_sn, use_type) }}
  and {{ of_lot(x.lot_no, :lot_no) }}
  and {{ of_code(x.unit_codes, :unit_code) }}
  and {{ named_product(p.name, p.code) }}
  and {{ made_by(o.name, p.brand) }}
  and {{ asked(x.settled_stage, :settled_stage) }}
order by
  x.used_at desc,
  x.sn desc,
  x.line_no
