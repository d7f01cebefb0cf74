with
  used as (
    select
      coalesce(nullif(d.fields ->> 'surgery_name', ''), '其他') as name,
      coalesce(d.red_of_id, d.id) as case_id,
      sum(l.taxed_amount) as amount
    from
      document d
      join document_line l on l.org_id = :organisation
      and l.document_id = d.id
    where
      d.org_id = :organisation
      and {{ counted(d, used_in_surgery) }}
      and d.business_date between :begin_date and :end_date
      and {{ warehouse_scope(d.warehouse_id) }}
      and {{ department_scope(d.department_id) }}
      and {{ asked(d.department_id, :department_inner_sn) }}
    group by
      1,
      2
  ),
  counted as (
    select
      u.name,
      count(*) as cases,
      sum(u.amount) as amount
    from
      used u
    where
      u.amount <> 0
    group by
      1
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
