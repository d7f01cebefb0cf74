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
