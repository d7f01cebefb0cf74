select
  1 as departments,
  w.stores,
  w.cabinets
from
  department e
  left join lateral (
    select
      count(*) filter (
        where
          s.model = 'ward'
      ) as stores,
      count(*) filter (
        where
          s.model = 'cabinet'
      ) as cabinets
    from
      warehouse s
    where
      s.org_id = :organisation
      and s.department_id = e.id
      and s.status = 'enabled'
  ) w on true
where
  e.org_id = :organisation
  and e.status = 'enabled'
  and {{ ward_scope(e.id) }}
  and {{ asked(e.id, :department_inner_sn) }}
