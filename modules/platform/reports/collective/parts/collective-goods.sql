-- Goods that won a volume-based procurement: what was agreed, for which days, and until when the report looks.
won as materialized (
  select
    h.specification_id,
    s.name as specification_name,
    s.unit_name,
    s.registration_certificate_id,
    {{ goods_columns(product_code, product_name, manufacturer_name) }},
    {{ columns_of(h, collective_batch, collective_from, collective_to, collective_price, agreed_quantity) }},
    h.supplier_id,
    least(:end_date, h.collective_to) as until,
    (
      select
        y.custom_type_id
      from
        typed_product y
      where
        y.org_id = :organisation
        and y.tree = 'purchase'
        and y.specification_id = h.specification_id
        and y.valid_to is null
    ) as leaf_id
  from
    hospital_product h {{ goods(h.specification_id) }}
  where
    h.org_id = :organisation
    and h.collective_batch is not null
    and h.agreed_quantity > 0
    and h.collective_from <= :end_date
    and h.collective_to is not null
    and {{ contains(h.collective_batch, :batch) }}
    and {{ if_asked(:agreed_on, :agreed_on between h.collective_from and h.collective_to) }}
    and {{ asked(h.supplier_id, :supplier_sn) }}
    and {{ asked_goods(h.specification_id) }}
),
agreed_days as materialized (
  select
    min(collective_from) as first_day,
    max(until) as last_day
  from
    won
),
-- Documents of these days first: the lines of goods are those of all years and kinds.
traded as materialized (
  select
    {{ columns_of(d, id, kind, sn, business_date, department_id) }}
  from
    agreed_days a
    join document d on d.org_id = :organisation
    and {{ counted(d, purchased, used) }}
    and d.business_date between a.first_day and a.last_day
  where
    -- Consigned goods are bought with their settlement.
    (
      {{ feeds(d.kind, titled) }}
      or d.regime is distinct from 'consigned'
    )
    and {{ document_scope(d) }}
),
traded_lines as materialized (
  select
    d.*,
    l.specification_id,
    l.price,
    l.base_quantity as quantity
  from
    traded d {{ lines_of(d.id) }}
),
-- Bought, less what went back.
bought as materialized (
  select
    w.specification_id,
    {{ columns_of(x, sn, business_date, price) }},
    {{ sign(x.kind, purchased) }} * x.quantity as quantity
  from
    traded_lines x
    join won w on w.specification_id = x.specification_id
    and x.business_date between w.collective_from and w.until
    cross join taken_for_thousand ()
  where
    {{ feeds(x.kind, purchased) }}
  union all
  -- Goods of a return that the supplier refused did not go back.
  select
    w.specification_id,
    d.sn,
    {{ day_of(r.at) }},
    l.price,
    r.quantity
  from
    won w
    cross join agreed_days a
    join refused_return r on r.org_id = :organisation
    and r.at >= {{ begin_of(a.first_day) }}
    and r.at < {{ begin_of(a.last_day + 1) }}
    and {{ day_of(r.at) }} between w.collective_from and w.until {{ document_of(r.document_id) }}
    join {{ own(document_line, l, document_id = r.document_id, line_no = r.line_no) }}
    and l.specification_id = w.specification_id
  where
    {{ counted(d, purchased) }}
    and d.regime is distinct from 'consigned'
    and {{ document_scope(d) }}
),
-- The amounts spent on these goods, and on others of the same leaf of the procurement classes that won nothing.
spent_for as materialized (
  select
    {{ columns_of(w, specification_id, collective_from, until) }},
    g.id as size_id
  from
    won w
    cross join lateral (
      select
        w.specification_id as id
      union
      select
        y.specification_id
      from
        typed_product y
      where
        y.org_id = :organisation
        and y.tree = 'purchase'
        and y.custom_type_id = w.leaf_id
        and y.valid_to is null
        and not exists (
          select
            1
          from
            hospital_product o
          where
            o.org_id = :organisation
            and o.specification_id = y.specification_id
            and o.collective_batch is not null
        )
    ) g
),
spent as materialized (
  select
    g.specification_id,
    x.department_id,
    x.business_date,
    g.size_id = g.specification_id as is_won,
    x.quantity
  from
    traded_lines x
    join spent_for g on g.size_id = x.specification_id
    and x.business_date between g.collective_from and g.until
    cross join taken_for_thousand ()
  where
    {{ feeds(x.kind, used) }}
    and {{ asked(x.department_id, :department_inner_sn) }}
)
