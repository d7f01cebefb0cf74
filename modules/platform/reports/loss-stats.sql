-- By the moment of posting; amounts are of own goods.
with
  lost as (
    select
      m.warehouse_id,
      to_char(m.at at time zone 'Asia/Shanghai', 'YYYY-MM') as month,
      coalesce(d.fields ->> 'loss_type', 'other') as loss_type,
      - sum(m.quantity) as quantity,
      - sum({{ value_where(m.value, m.owner_id = m.org_id) }}) as amount,
      count(distinct d.id)::int as document_count
    from
      stock_move m
      join document d on d.org_id = m.org_id
      and d.id = m.document_id
      and {{ feeds(d.kind, damaged) }}
      join warehouse w on w.org_id = m.org_id
      and w.id = m.warehouse_id {{ product_of(m.specification_id) }}
    where
      m.org_id = :organisation
      and {{ during(m.at) }}
      and {{ asked(m.warehouse_id, :warehouse_model_inner_sn) }}
      and {{ warehouse_scope(m.warehouse_id) }}
      and {{ department_scope(w.department_id) }}
      and {{ same_specification(m.specification_id, :specification_sn) }}
      and {{ named_product(p.name, p.code) }}
      and (
        :loss_type is null
        or coalesce(d.fields ->> 'loss_type', 'other') = :loss_type
      )
    group by all
    having
      sum(m.quantity) <> 0
      or sum(m.value) <> 0
  ),
  held as (
    -- The worth of the store when the month began and when it ended.
    select
      x.warehouse_id,
      x.month,
      (
        select
          coalesce(sum(m.value), 0)
        from
          stock_move m
        where
          m.org_id = :organisation
          and m.warehouse_id = x.warehouse_id
          and m.owner_id = m.org_id
          and m.at < (x.month || '-01')::date::timestamp at time zone 'Asia/Shanghai'
      ) as opening,
      (
        select
          coalesce(sum(m.value), 0)
        from
          stock_move m
        where
          m.org_id = :organisation
          and m.warehouse_id = x.warehouse_id
          and m.owner_id = m.org_id
          and m.at < {{ begin_of((x.month || '-01')::date + interval '1 month') }}
      ) as closing
    from
      (
        select distinct
          warehouse_id,
          month
        from
          lost
      ) x
  )
select
  l.month,
  w.name as warehouse_name,
  l.loss_type,
  l.document_count,
  l.quantity::numeric(18, 3) as quantity,
  l.amount::numeric(18, 2) as amount,
  ((h.opening + h.closing) / 2)::numeric(18, 2) as average_stock,
  round(l.amount / nullif((h.opening + h.closing) / 2, 0), 6) as loss_rate,
  l.warehouse_id::text as warehouse_sn
from
  lost l
  join held h on h.warehouse_id = l.warehouse_id
  and h.month = l.month {{ store_of(l.warehouse_id) }}
order by
  l.month desc,
  l.amount desc,
  w.name
