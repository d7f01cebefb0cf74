-- A line is due on its requested day, or else on that of its order. It was in time if all of it was received by then.
with
  due as (
    select
      d.counterparty_id,
      l.document_id,
      l.line_no,
      l.base_quantity - coalesce(s.taken, 0) as base_quantity,
      y.due_on
    from
      document d {{ lines_of(d.id) }} {{ progress_of(s, stop) }}
      cross join lateral (
        select
          coalesce(l.fields ->> 'expected_date', d.fields ->> 'expected_date')::date as due_on
      ) y
    where
      d.org_id = :organisation
      and {{ feeds(d.kind, ordered) }}
      and d.role = 'own'
      and d.state in ('reviewed', 'partial', 'completed')
      and l.base_quantity > coalesce(s.taken, 0)
      and y.due_on between :begin_date and least(:end_date, {{ day_of(posting_now()) }})
      and {{ warehouse_scope(d.warehouse_id) }}
      and {{ department_scope(d.department_id) }}
  )
select
  o.name as counterparty_name,
  x.counterparty_id::text as counterparty_sn,
  1 as due,
  (coalesce(g.in_time, 0) >= x.base_quantity)::int as in_time,
  x.base_quantity::numeric(18, 3) as ordered,
  least(coalesce(g.received, 0), x.base_quantity)::numeric(18, 3) as received
from
  due x
  left join organisation o on o.id = x.counterparty_id
  left join lateral (
    select
      sum(r.base_quantity) as received,
      sum(r.base_quantity) filter (
        where
          {{ day_of(b.reviewed_at) }} <= x.due_on
      ) as in_time
    from
      document_line r
      join {{ own(document, b, id = r.document_id) }}
    where
      r.org_id = :organisation
      and r.order_document_id = x.document_id
      and r.order_line_no = x.line_no
      and {{ counted(b, delivered) }}
  ) g on true
