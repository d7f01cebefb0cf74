-- A hospital's catalogue beside the dictionary of its HIS.
create view product_comparison with (security_invoker = true) as
select
  h.org_id, h.id, s.product_id, h.specification_id, h.is_chargeable, h.charge_price, h.insurance_code,
  coalesce(m.match_state, 'none') as match_state, m.his_item_id, i.material_code, i.item_code, i.item_name,
  i.his_specification, i.his_unit, i.his_price, i.insurance_code as his_insurance_code,
  trim_scale(coalesce(m.factor, 1))::text as factor, m.valid_from,
  m.basis, coalesce(m.differences, '{}') as differences, m.remark, m.matched_by, m.matched_at, i.read_at,
  case c.state
    when 'succeeded' then 'answered'
    when 'waiting' then 'failed'
    when 'pending' then 'underway'
    when 'retrying' then 'underway'
  end as push_state, c.error as push_answer, coalesce(m.version, 1) as version
from hospital_product h
join specification s on s.id = h.specification_id
left join his_match m on m.org_id = h.org_id and m.id = h.id
left join his_item i on i.org_id = m.org_id and i.id = m.his_item_id
left join outbound_call c on c.org_id = m.org_id and c.id = m.push_call_id
where h.status = 'enabled';
grant select on product_comparison to :app_role;

-- The pairs that were or are in force.
create view his_match_history with (security_invoker = true) as
select
  v.org_id, v.id, s.product_id, v.specification_id, v.his_item_id, i.item_code, i.item_name, i.material_code,
  trim_scale(v.factor)::text as factor, v.valid_from, v.valid_to, v.matched_by, v.matched_at, v.ended_by, v.ended_at
from his_match_version v
join specification s on s.id = v.specification_id
join his_item i on i.org_id = v.org_id and i.id = v.his_item_id;
grant select on his_match_history to :app_role;

-- Charges and refunds with what of them is left: what the HIS gave back is no charge, and what a use was matched with
-- is used up. Refunds that name no charge stand for themselves, with a minus.
create view his_charge_left with (security_invoker = true) as
select
  h.*,
  case when h.charge_kind = 'charge' then h.quantity - coalesce(r.refunded, 0)
    when h.refunds_id is null then - h.quantity
    else 0
  end as net_quantity,
  coalesce(r.refunded, 0) as refunded_quantity, coalesce(k.linked, 0) as linked_quantity
from his_charge h
left join lateral (
  select sum(x.quantity) as refunded
  from his_charge x
  where x.org_id = h.org_id and x.refunds_id = h.id
) r on true
left join lateral (
  select sum(l.quantity) as linked
  from charge_link l
  where l.org_id = h.org_id and l.his_charge_id = h.id
) k on true;
grant select on his_charge_left to :app_role;

-- Each use that is to be charged, as the clerk sees it: what is due, what the HIS charged, and for whom.
create view use_check_row with (security_invoker = true) as
select
  c.org_id, c.id, c.state, d.kind as source_kind, d.sn as source_no, c.use_document_id, c.department_id,
  c.warehouse_id, d.fields->>'patient_no' as patient_no, d.fields->>'patient_name' as patient_name,
  d.fields->>'admission_no' as admission_no, d.fields->>'visit_type' as visit_type, s.product_id,
  c.specification_id, p.is_high_value, t.lot_no, c.unit_code, c.supplier_id, c.item_code, i.item_name,
  trim_scale(coalesce(c.factor, 1))::text as factor, c.quantity - c.returned as quantity, c.returned,
  round((c.quantity - c.returned) * coalesce(c.factor, 1), 4) as due_quantity, c.charged_quantity,
  round((c.quantity - c.returned) * coalesce(c.factor, 1), 4) - c.charged_quantity as difference,
  round((c.quantity - c.returned) * c.charge_price, 2) as charge_amount, c.used_at, c.charged_at,
  c.state = 'missed' as is_overdue, c.handling, c.free_reason, c.note, c.handled_by, c.handled_at
from use_check c
join document d on d.org_id = c.org_id and d.id = c.use_document_id
join specification s on s.id = c.specification_id
join product p on p.id = s.product_id
left join lot t on t.id = c.lot_id
left join his_item i on i.org_id = c.org_id and i.item_code = c.item_code;
grant select on use_check_row to :app_role;
