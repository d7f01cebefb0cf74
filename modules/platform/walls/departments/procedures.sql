with
  {{ part(platform/reports/use/use-rows) }},
  operated as (
    select
      coalesce(nullif(d.fields ->> 'surgery_name', ''), '其他') as name,
      sum(x.base_quantity) as quantity,
      sum(x.amount) as amount
    from
      use_rows x {{ document_of(x.first_id) }}
    where
      x.use_type = 'surgery'
      and {{ asked(x.department_id, :department_inner_sn) }}
    group by
      1,
      x.first_id
  ),
  counted as (
    select
      u.name,
      {{ filtered(count(*), u.quantity > 0) }} as cases,
      sum(u.amount) as amount
    from
      operated u
    group by all
  )
select
  case
    when c.cases < 3 then '其他'
    else c.name
  end as procedure_name,
  c.cases,
  c.amount::numeric(18, 2) as amount,
  null::numeric as amount_per_case
from
  counted c
