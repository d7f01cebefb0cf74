-- Licences, certificates and lots warn by the days that are left, stock by its limits. Warnings without a day come
-- last.
select
  w.category,
  b.band,
  case w.severity
    when 3 then 'red'
    when 2 then 'orange'
    else 'yellow'
  end as urgency,
  {{ columns_of(w, first_at, object_name, code) }},
  coalesce(s.name, o.name, '—') as place,
  w.expiry_date,
  w.expiry_date - n.today as days_left,
  w.quantity::numeric(18, 3) as quantity,
  w.threshold::numeric(18, 3) as threshold,
  w.proposed::numeric(18, 3) as proposed,
  1 as warnings
from
  warning w
  cross join (
    select
      {{ day_of(posting_now()) }} as today
  ) n
  cross join lateral (
    select
      {{ part(goods/warnings/band) }} as band
  ) b
  left join {{ own(warehouse, s, id = w.warehouse_id) }}
  left join organisation o on o.id = w.partner_id
where
  w.org_id = :organisation
  and w.state = 'open'
  and {{ warehouse_scope(w.warehouse_id) }}
  and {{ department_scope(w.department_id) }}
  and {{ asked(w.category, :type) }}
  and {{ if_asked(:urgency, :urgency = case w.severity when 3 then 'red' when 2 then 'orange' else 'yellow' end) }}
  and {{ asked(w.warehouse_id, :warehouse_model_inner_sn) }}
  and {{ asked(b.band, :band) }}
order by
  w.expiry_date nulls last,
  abs(coalesce(w.threshold, 0) - coalesce(w.quantity, 0)) desc,
  w.id
