select
  d.sn as document_sn,
  d.kind as document_kind,
  c.name as counterparty_name,
  w.name as warehouse_name,
  {{ goods_columns(product_code, product_name, specification_name, manufacturer_name, unit_name) }},
  d.business_date as ordered_on,
  coalesce(l.fields ->> 'expected_date', d.fields ->> 'expected_date')::date as expected_date,
  n.today - coalesce(l.fields ->> 'expected_date', d.fields ->> 'expected_date')::date as days_late,
  l.base_quantity::numeric(18, 3) as quantity,
  coalesce(g.taken, 0)::numeric(18, 3) as taken_quantity,
  (l.base_quantity - coalesce(g.taken, 0) - coalesce(x.taken, 0))::numeric(18, 3) as open_quantity,
  1 as lines
from
  document d {{ lines_of(d.id) }}
  cross join (
    select
      {{ day_of(posting_now()) }} as today
  ) n
  left join line_progress g on g.org_id = l.org_id
  and g.document_id = l.document_id
  and g.line_no = l.line_no
  and g.purpose = case
    when :side = 'buy' then 'receive'
    else 'ship'
  end {{ progress_of(x, stop) }}
  left join warehouse w on w.org_id = d.org_id
  and w.id = d.warehouse_id
  join organisation c on c.id = d.counterparty_id {{ goods(l.specification_id) }}
where
  d.org_id = :organisation
  and d.role = 'own'
  and (
    (
      :side = 'buy'
      and {{ feeds(d.kind, ordered) }}
    )
    or (
      :side = 'sell'
      and {{ feeds(d.kind, ordered_here) }}
    )
  )
  and d.state in ('reviewed', 'partial')
  and coalesce(l.fields ->> 'expected_date', d.fields ->> 'expected_date')::date < n.today
  and l.base_quantity > coalesce(g.taken, 0) + coalesce(x.taken, 0)
  and {{ document_scope(d) }}
  and {{ mine(d.created_by, d.handler_id) }}
  and {{ asked(d.counterparty_id, :counterparty_sn) }}
order by
  expected_date,
  d.sn,
  l.line_no
