-- The person responsible for a warehouse is responsible for its warnings.
select
  r.responsible,
  'open' as state,
  count(*)::int as open,
  count(*) filter (
    where
      r.level in ('expired', 'none')
  )::int as danger,
  min(r.first_at) as oldest_at,
  ({{ day_of(posting_now()) }} - (min(r.first_at) at time zone 'Asia/Shanghai')::date)::int as oldest_days
from
  (
    select
      t.level,
      t.first_at,
      {{ part(responsible) }} as responsible
    from
      warning t
    where
      t.org_id = :organisation
      and t.state = 'open'
      and {{ asked(t.category, :category) }}
      and {{ warehouse_scope(t.warehouse_id) }}
      and {{ department_scope(t.department_id) }}
  ) r
group by all
order by
  min(r.first_at),
  count(*) desc
