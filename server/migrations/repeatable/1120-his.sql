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

-- What a synchronisation changed of whom.
create view his_staff_change_entry with (security_invoker = true) as
select
  c.org_id, c.id, s.staff_no, s.staff_name, c.field_name, c.old_value, c.new_value, c.changed_at
from his_staff_change c
join his_staff s on s.org_id = c.org_id and s.id = c.staff_id;
grant select on his_staff_change_entry to :app_role;
