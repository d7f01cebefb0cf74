-- Certificates are shown with the number of models in stock that they cover; lots with their value.
select
  c.category,
  'open' as state,
  count(w.id)::int as open,
  count(*) filter (
    where
      d.band in ('expired', 'none')
  )::int as danger,
  count(*) filter (
    where
      d.band in ('month', 'low', 'held', 'missing')
  )::int as urgent,
  {{ filtered(count(*), d.band = 'quarter') }}::int as within_90,
  {{ filtered(count(*), d.band = 'half') }}::int as later,
  {{ filtered(count(*), w.level = 'high') }}::int as high,
  {{ filtered(count(*), w.level = 'idle') }}::int as idle,
  case
    when c.category = 'PRODUCTREGISTRATION' then coalesce(sum(x.specifications), 0)
    when c.category = 'CERTIFICATIONEARLY' then 0
    else count(distinct w.specification_id)
  end::int as specifications,
  (
    case
      when c.category = 'CERTIFICATIONEARLY' then null
      else coalesce(sum(w.quantity), 0)
    end
  )::numeric(18, 3) as quantity,
  ({{ only_where(coalesce(sum(v.value), 0), c.category = 'PRODUCTEXPIRY') }})::numeric(18, 2) as amount
from
  (
    values
      ('PRODUCTEXPIRY', 1),
      ('PRODUCTINVENTORY', 2),
      ('CERTIFICATIONEARLY', 3),
      ('PRODUCTREGISTRATION', 4)
  ) c (category, place)
  cross join (
    select
      {{ day_of(posting_now()) }} as today
  ) n
  left join {{ own(warning, w, category = c.category, state = 'open') }}
  and {{ warehouse_scope(w.warehouse_id) }}
  and {{ department_scope(w.department_id) }}
  and {{ asked(w.warehouse_id, :warehouse_model_inner_sn) }}
  left join lateral (
    select
      {{ part(band) }} as band
    where
      w.id is not null
  ) d on true
  left join lateral (
    select
      sum(b.value) as value
    from
      stock_balance b
      join lot l on l.id = b.lot_id
    where
      w.category = 'PRODUCTEXPIRY'
      and b.org_id = :organisation
      and b.warehouse_id = w.warehouse_id
      and b.specification_id = any (
        (
          select
            same_sizes (w.specification_id)
        )::bigint[]
      )
      and l.lot_no = w.code
  ) v on true
  left join lateral (
    select
      count(distinct b.specification_id) as specifications
    from
      stock_balance b
      join specification s on s.id = b.specification_id
    where
      w.category = 'PRODUCTREGISTRATION'
      and b.org_id = :organisation
      and b.quantity > 0
      and concat('certificate-', s.registration_certificate_id) = w.object_key
  ) x on true
where
  :category is null
  or c.category = :category
group by
  c.category,
  c.place
order by
  c.place
