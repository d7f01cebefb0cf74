with
  held as (
    select
      b.specification_id,
      sum(b.quantity) as quantity
    from
      stock_on_hand b
    where
      b.org_id = :organisation
      and b.warehouse_model <> 'transit'
      and {{ warehouse_scope(b.warehouse_id) }}
      and {{ department_scope(b.department_id) }}
    group by all
  ),
  kept as (
    select
      s.registration_certificate_id as id,
      sum(coalesce(b.quantity, 0)) as quantity
    from
      hospital_product h
      join specification s on s.id = h.specification_id
      left join held b on b.specification_id = h.specification_id
    where
      h.org_id = :organisation
      and h.status = 'enabled'
      and s.registration_certificate_id is not null
    group by all
  )
select
  {{ columns_of(c, product_name, certificate_no, valid_to) }},
  c.valid_to - n.today as days_left,
  x.status,
  to_char(c.valid_to, 'YYYY-MM') as month,
  {{ columns_of(x, origin, renewal, scan) }},
  1 as certificates,
  k.quantity::numeric(18, 3) as stock_quantity
from
  kept k
  join registration_certificate c on c.id = k.id
  cross join (
    select
      {{ day_of(posting_now()) }} as today
  ) n
  cross join lateral (
    select
      case
        when c.valid_to is null
        or c.valid_to > n.today + 90 then 'valid'
        when c.valid_to < n.today then 'expired'
        when c.valid_to <= n.today + 30 then 'month'
        else 'quarter'
      end as status,
      case
        when c.certificate_no like '%国械注准%' then 'domestic'
        when c.certificate_no like '%国械注进%' then 'imported'
        when c.certificate_no like '%国械注许%' then 'permitted'
        when c.certificate_no like '%械注准%' then 'province'
        else 'filed'
      end as origin,
      case
        when exists (
          select
            1
          from
            registration_certificate x
          where
            x.previous_id = c.id
            or x.previous_certificate_no = c.certificate_no
        ) then 'renewed'
        when c.valid_to <= n.today + 180 then 'none'
        else 'later'
      end as renewal,
      case
        when cardinality(c.attachments) = 0 then 'none'
        else 'some'
      end as scan
  ) x
where
  {{ narrowed(x, status, origin, renewal, scan) }}
order by
  c.valid_to nulls last,
  c.certificate_no
