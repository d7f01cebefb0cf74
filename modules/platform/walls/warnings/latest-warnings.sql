select
  {{ columns_of(w, first_at, category, object_name) }},
  coalesce(s.name, o.name, '—') as place,
  w.expiry_date - {{ day_of(posting_now()) }} as days_left
from
  warning w
  left join {{ own(warehouse, s, id = w.warehouse_id) }}
  left join organisation o on o.id = w.partner_id
where
  w.org_id = :organisation
  and w.state = 'open'
  and {{ warehouse_scope(w.warehouse_id) }}
  and {{ department_scope(w.department_id) }}
order by
  w.first_at desc,
  w.severity desc,
  w.id desc
