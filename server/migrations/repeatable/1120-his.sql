-- The code under which a hospital's HIS keeps a size: of the item that it is matched with, else of the catalogue.
create function his_code_of(org bigint, size bigint) returns text
language sql
stable
as $$
  select coalesce(
    (select i.material_code from his_match m
       join his_item i on i.org_id = m.org_id and i.id = m.his_item_id
      where m.org_id = org and m.specification_id = size and m.match_state in ('matched', 'different')),
    (select nullif(h.his_code, '') from hospital_product h where h.org_id = org and h.specification_id = size limit 1)
  )
$$;

-- The price of one base unit, where a line counts in another.
create function his_price_of(price numeric, quantity numeric, base_quantity numeric, amount numeric) returns numeric
language sql
immutable
as $$
  select case when quantity = base_quantity or base_quantity = 0 then price else round(amount / base_quantity, 4) end
$$;

-- People of the HIS beside the employee and the login that they are with us.
create view his_staff_entry with (security_invoker = true) as
select
  s.org_id, s.id, s.staff_no, s.staff_name, s.sex, s.his_department_code,
  case
    when s.his_department_name is null then d.his_department_name
    else s.his_department_name
  end as his_department_name, s.staff_kind, s.professional_title, s.position, s.mobile,
  s.is_active::text as is_active, s.employee_id, coalesce(e.department_id, d.department_id) as department_id,
  (
    select u.login
    from app_user u
    where u.org_id = s.org_id and u.employee_id = s.employee_id and u.status = 'enabled'
    order by u.id
    limit 1
  ) as login,
  case when s.employee_id is null then 'none' else 'linked' end as link_state, s.read_at, s.version
from his_staff s
left join employee e on e.org_id = s.org_id and e.id = s.employee_id
left join his_department d on d.org_id = s.org_id and d.his_department_code = s.his_department_code;
grant select on his_staff_entry to :app_role;

-- The changes of staff that a synchronisation made, a row a field.
create view his_staff_change_entry with (security_invoker = true) as
select
  c.org_id, c.id, s.staff_no, s.staff_name, c.field_name, c.old_value, c.new_value, c.changed_at
from his_staff_change c
join his_staff s on s.org_id = c.org_id and s.id = c.staff_id;
grant select on his_staff_change_entry to :app_role;

-- Documents of the stores beside the receipts of the HIS.
create view his_grn_check with (security_invoker = true) as
select
  g.org_id, g.id, g.receipt_kind, g.sn, g.counterparty_id, g.warehouse_id,
  coalesce(g.reviewed_at, g.booked_at) as reviewed_at, g.item_count, g.amount, g.push_state, g.pushed_at, g.receipt_no,
  g.booked_at, g.his_item_count, g.his_amount, g.his_amount - g.amount as difference, g.check_result, g.error,
  greatest(g.tries - 1, 0) as retries, g.explanation, g.explained_by, g.explained_at, g.checked_at, g.version
from his_grn g
where not g.is_voided or g.receipt_no is not null;
grant select on his_grn_check to :app_role;

-- Their lines side by side: by the number that a line has on both sides.
create view his_grn_line with (security_invoker = true) as
select
  g.org_id, g.id * 100000 + coalesce(o.line_no, h.line_no) as id, g.id as his_grn_id,
  coalesce(o.line_no, h.line_no) as line_no, o.specification_id, h.material_code,
  coalesce(o.lot_no, h.lot_no) as lot_no, coalesce(o.expiry_date, h.expiry_date) as expiry_date, o.quantity,
  h.quantity as his_quantity, h.quantity - o.quantity as quantity_difference, o.price, h.price as his_price, o.amount,
  h.amount as his_amount,
  case
    when h.line_no is null then 'missing'
    when o.line_no is null then 'extra'
    when h.quantity <> o.quantity or h.material_code is distinct from o.material_code then 'lines'
    when abs(h.amount - o.amount) > 0.01 then 'amount'
    else 'same'
  end as difference_kind
from his_grn g
left join his_receipt r on r.org_id = g.org_id and r.receipt_no = g.receipt_no
cross join lateral (
  select l.line_no
  from document_line l
  where l.org_id = g.org_id and l.document_id = g.document_id and l.base_quantity <> 0
  union
  select (x ->> 'line_no')::int
  from jsonb_array_elements(r.lines) x
) n
left join lateral (
  select
    l.line_no, l.specification_id, l.lot_no, l.expiry_date, l.base_quantity as quantity,
    his_price_of(l.price, l.quantity, l.base_quantity, l.taxed_amount) as price, l.taxed_amount as amount,
    his_code_of(g.org_id, l.specification_id) as material_code
  from document_line l
  where
    l.org_id = g.org_id and l.document_id = g.document_id and l.line_no = n.line_no
) o on true
left join lateral (
  select k.line_no, k.material_code, k.lot_no, k.expiry_date, k.quantity, k.price, k.amount
  from jsonb_to_recordset(r.lines) as k(
    line_no int, material_code text, lot_no text, expiry_date date, quantity numeric, price numeric, amount numeric
  )
  where k.line_no = n.line_no
  limit 1
) h on true;
grant select on his_grn_line to :app_role;
