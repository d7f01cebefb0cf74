-- The changes that the goods of a document made in the books of the month `span`, day by day: own goods at cost, by the
-- moment of posting. In stores, and under way between them, they are 库存商品; goods that left for a customer without being
-- sold yet, or that are with him or with a lessor, are 发出商品. Where a warehouse says that its goods are spent when they
-- are granted to it, or received by it, they are in neither account, nor are goods under way to a customer who bought
-- them. An opening is where the books begin. Use it beside `booked` and `certified`, so that the documents
-- are read once.
own_moved as materialized (
  select
    m.document_id,
    m.day,
    case
      when w.model = 'consumed' then null
      when w.model <> 'transit' then {{ only_where('stock', w.accounting = 'use') }}
      when {{ feeds(u.kind, shipped, lent, stored_elsewhere) }} then 'dispatched'
      when u.id is not null then 'stock'
    end as account,
    m.amount
  from
    (
      select
        {{ columns_of(y, document_id, warehouse_id, location) }},
        {{ day_of(y.at) }} as day,
        sum(y.value) as amount
      from
        span x
        join stock_move y on y.org_id = :organisation
        and y.at >= x.since
        and y.at < x.until
      where
        y.owner_id = :organisation
        and y.value <> 0
      group by
        {{ columns_of(y, document_id, warehouse_id, location) }},
        day
    ) m
    join {{ own(warehouse, w, id = m.warehouse_id) }}
    -- Goods under way are still in the books, except sold goods, gifts and returns to a supplier.
    left join document u on u.org_id = :organisation
    and u.sn = {{ only_where(m.location, w.model = 'transit') }} collate "C"
    and u.role = 'own'
    and (
      {{ adds(u.kind, moved, granted, shipped) }}
      or {{ feeds(u.kind, lent, stored_elsewhere) }}
    )
    and (
      not {{ feeds(u.kind, shipped) }}
      or u.regime = 'consigned'
    )
    and (
      not {{ feeds(u.kind, moved) }}
      or u.counterparty_id is null
    )
    and not exists (
      select
        1
      from
        warehouse t
      where
        t.org_id = :organisation
        and t.id = u.to_warehouse_id
        and {{ adds(u.kind, granted) }}
        and t.accounting = 'issue'
    )
  union all
  select
    c.document_id,
    {{ day_of(c.at) }},
    'dispatched',
    c.value
  from
    span x
    join consigned_move c on c.org_id = :organisation
    and c.at >= x.since
    and c.at < x.until
  where
    c.value <> 0
),
documents as materialized (
  select
    {{ columns_of(d, id, sn, kind, role, red_of_id, counterparty_id, department_id, warehouse_id, to_warehouse_id) }},
    d.fields
  from
    document d
    join (
      select
        document_id
      from
        own_moved
      where
        account is not null
      union
      select
        document_id
      from
        booked
      union
      select
        document_id
      from
        certified
    ) x on x.document_id = d.id
    cross join taken_for_thousand ()
  where
    d.org_id = :organisation
),
goods as (
  select
    g.document_id,
    d.counterparty_id,
    case
      when h.system_type <> 1
      or {{ feeds(d.kind, purchased, corrected, moved_here) }} then null
      else coalesce(d.department_id, w.department_id)
    end as department_id,
    g.day,
    g.account,
    sum(g.amount) as amount
  from
    own_moved g
    join documents d on d.id = g.document_id
    join organisation h on h.id = :organisation
    -- The department's warehouse: the receiving one of a grant, the one that gives back or uses otherwise.
    left join warehouse w on w.org_id = :organisation
    and w.id = case
      when {{ adds(d.kind, granted) }} then d.to_warehouse_id
      else d.warehouse_id
    end
  where
    g.account is not null
    and not {{ feeds(d.kind, opened) }}
  group by all
  having
    sum(g.amount) <> 0
)
