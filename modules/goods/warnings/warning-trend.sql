-- This month and the eleven after it; what is expired already is the summary's.
select
  to_char(m.day, 'YYYY-MM') as month,
  m.day::date::text as first_day,
  (m.day + interval '1 month' - interval '1 day')::date::text as last_day,
  count(distinct b.lot_id)::int as lots,
  coalesce(sum(b.quantity), 0)::numeric(18, 3) as quantity,
  coalesce(sum(b.value), 0)::numeric(18, 2) as amount
from
  generate_series(
    date_trunc('month', {{ day_of(posting_now()) }}),
    date_trunc('month', {{ day_of(posting_now()) }}) + interval '11 months',
    interval '1 month'
  ) m (day)
  left join lateral (
    select
      b.*
    from
      stock_balance b
      join warehouse h on h.org_id = b.org_id
      and h.id = b.warehouse_id
      and h.model not in ('consumed', 'transit')
      join stock_lot k on k.org_id = b.org_id
      and k.lot_id = b.lot_id
    where
      b.org_id = :organisation
      and b.quantity > 0
      and k.expiry_date >= m.day::date
      and k.expiry_date < (m.day + interval '1 month')::date
      and {{ asked(b.warehouse_id, :warehouse_model_inner_sn) }}
      and {{ warehouse_scope(b.warehouse_id) }}
      and {{ department_scope(h.department_id) }}
  ) b on true
group by
  m.day
order by
  m.day
