select
  x.model,
  x.name,
  e.name as department_name,
  1 as places
from
  department e
  join (
    select
      d.id as department_id,
      'department' as model,
      d.name
    from
      department d
    where
      d.org_id = :organisation
    union all
    select
      {{ columns_of(s, department_id, model, name) }}
    from
      warehouse s
    where
      s.org_id = :organisation
      and s.model in ('ward', 'cabinet')
      and s.status = 'enabled'
  ) x on x.department_id = e.id
where
  e.org_id = :organisation
  and e.status = 'enabled'
  and {{ ward_scope(e.id) }}
  and {{ asked(e.id, :department_inner_sn) }}
  and {{ asked(x.model, :model) }}
order by
  department_name,
  array_position(array['department', 'ward', 'cabinet'], x.model),
  x.name
