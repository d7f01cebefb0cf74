-- The goods of an advance sale are stored under its number; their age counts from its review to the end of the month,
-- or today.
select
  case coalesce(:by, 'customer')
    when 'handler' then coalesce(e.name, '—')
    when 'age' then case
      when a.age <= 30 then '0-30天'
      when a.age <= 60 then '31-60天'
      when a.age <= 90 then '61-90天'
      else '90天以上'
    end
    else o.name
  end as counterparty_name,
  case
    when coalesce(:by, 'customer') = 'customer' then d.counterparty_id
  end as counterparty_sn,
  {{ sum_where(m.value, m.business_date < (:period || '-01')::date) }}::numeric(18, 2) as opening_value,
  coalesce(
    sum(m.value) filter (
      where
        to_char(m.business_date, 'YYYY-MM') = :period
        and {{ adds(d.kind, presold) }}
    ),
    0
  )::numeric(18, 2) as out_value,
  coalesce(
    - sum(m.value) filter (
      where
        to_char(m.business_date, 'YYYY-MM') = :period
        and {{ feeds(d.kind, sold) }}
    ),
    0
  )::numeric(18, 2) as turned_value,
  coalesce(
    - sum(m.value) filter (
      where
        to_char(m.business_date, 'YYYY-MM') = :period
        and not {{ adds(d.kind, sold, presold) }}
    ),
    0
  )::numeric(18, 2) as returned_value,
  {{ sum_where(m.value, to_char(m.business_date, 'YYYY-MM') <= :period) }}::numeric(18, 2) as closing_value,
  {{ sum_where(m.quantity, to_char(m.business_date, 'YYYY-MM') <= :period) }}::numeric(18, 3) as closing_quantity
from
  stock_move m
  join warehouse w on w.org_id = m.org_id
  and w.id = m.warehouse_id
  and w.model = 'advance'
  join document d on d.org_id = m.org_id
  and d.id = m.document_id
  left join organisation o on o.id = d.counterparty_id
  left join lateral (
    select
      s.handler_id,
      least(
        (now() at time zone 'Asia/Shanghai')::date,
        ((:period || '-01')::date + interval '1 month - 1 day')::date
      ) - {{ day_of(s.reviewed_at) }} as age
    from
      document s
    where
      s.org_id = m.org_id
      and {{ feeds(s.kind, presold) }}
      and s.role = 'own'
      and s.sn = m.location
    limit
      1
  ) a on true
  left join employee e on e.org_id = m.org_id
  and e.id = a.handler_id
where
  m.org_id = :organisation
  and {{ asked(d.counterparty_id, :counterparty_sn) }}
  and {{ store_scope(m.warehouse_id) }}
group by all
having
  {{ filtered(sum(m.value), to_char(m.business_date, 'YYYY-MM') <= :period) }} is not null
order by
  closing_value desc,
  counterparty_name
