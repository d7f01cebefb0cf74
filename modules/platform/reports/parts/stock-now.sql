-- Without a day it is read from the balances with what is promised and under way; of a day that has passed these are
-- not known.
-- :by_location says whether a row is a specification in one location of one warehouse, or everywhere.
with
  {{ part(platform/reports/held-then) }},
  on_hand as (
    select
      {{ columns_of(b, warehouse_id, location, specification_id, expiry_date, quantity) }},
      {{ value_where(b.value, b.owner_org_id = b.org_id) }} as value,
      b.owner_org_id = b.org_id as is_own,
      b.reserved,
      b.available
    from
      stock_on_hand b
    where
      :end_date is null
      and b.org_id = :organisation
      and b.warehouse_model <> 'transit'
      and {{ warehouse_scope(b.warehouse_id) }}
      and {{ department_scope(b.department_id) }}
      and {{ narrowed(b, warehouse_model_inner_sn, specification_sn) }}
      and {{ if_asked(:ownership, (:ownership = 'own') = (b.owner_org_id = b.org_id)) }}
    union all
    by name
    select
      {{ columns_of(m, warehouse_id, location, specification_id) }},
      k.expiry_date,
      sum(m.quantity) as quantity,
      sum({{ value_where(m.value, m.owner_id = :organisation) }}) as value,
      m.owner_id = :organisation as is_own
    from
      held_then m
      join {{ own(warehouse, w, id = m.warehouse_id) }}
      and w.model not in ('transit', 'consumed')
      left join {{ own(stock_lot, k, lot_id = m.lot_id) }}
    where
      {{ warehouse_scope(m.warehouse_id) }}
      and {{ department_scope(w.department_id) }}
      and {{ narrowed(m, warehouse_model_inner_sn, specification_sn, ownership) }}
    group by
      {{ columns_of(m, warehouse_id, location, specification_id, lot_id) }},
      k.expiry_date,
      m.owner_id,
      m.quality_state
    having
      sum(m.quantity) <> 0
  ),
  coming as (
    select
      c.warehouse_id,
      c.specification_id,
      {{ filtered(sum(c.quantity), c.stage = 'transit') }} as transit,
      {{ filtered(sum(c.quantity), c.stage = 'pending') }} as pending
    from
      stock_coming c
      left join warehouse w on w.org_id = c.org_id
      and w.id = c.warehouse_id
    where
      :end_date is null
      and c.org_id = :organisation
      and {{ warehouse_scope(c.warehouse_id) }}
      and {{ department_scope(w.department_id) }}
      and {{ narrowed(c, warehouse_model_inner_sn, specification_sn) }}
    group by all
  ),
  both_sides as (
    select
      y.warehouse_id,
      y.location,
      coalesce(z.stands_for_id, y.specification_id) as specification_id,
      {{ columns_of(y, expiry_date, quantity, value, is_own, reserved, available, transit, pending) }}
    from
      (
        select
          warehouse_id,
          location,
          specification_id,
          expiry_date,
          quantity,
          value,
          is_own,
          reserved,
          available,
          null::numeric as transit,
          null::numeric as pending
        from
          on_hand
        union all
        by name
        select
          warehouse_id,
          specification_id,
          0 as quantity,
          0 as value,
          true as is_own,
          transit,
          pending
        from
          coming
      ) y
      left join mapped_size z on z.specification_id = y.specification_id
  ),
  limits as (
    select
      p.stands_for_id as specification_id,
      {{ columns_of(p, warehouse_id, min_quantity, max_quantity) }}
    from
      stock_limit p
    where
      :end_date is null
      and p.org_id = :organisation
      and {{ asked(p.warehouse_id, :warehouse_model_inner_sn) }}
  ),
  levels as (
    select
      l.specification_id,
      bool_or(is_low (coalesce(h.available, 0) + coalesce(h.coming, 0), l.min_quantity)) as is_low,
      bool_or(coalesce(h.available, 0) > l.max_quantity) as is_high
    from
      limits l
      left join (
        select
          warehouse_id,
          specification_id,
          sum(available) as available,
          sum(coalesce(transit, 0) + coalesce(pending, 0)) as coming
        from
          both_sides
        group by all
      ) h on h.warehouse_id = l.warehouse_id
      and h.specification_id = l.specification_id
    group by all
  ),
  summed as (
    select
      {{ only_where(x.warehouse_id, :by_location) }} as warehouse_id,
      {{ only_where(x.location, :by_location) }} as location,
      x.specification_id,
      sum(x.quantity) as quantity,
      sum(x.value) as value,
      {{ filtered(sum(x.quantity), not x.is_own) }} as consigned,
      sum(x.reserved) as reserved,
      sum(x.available) as available,
      sum(x.transit) as transit,
      sum(x.pending) as pending,
      min(x.expiry_date) as first_expiry,
      sum(x.quantity) filter (
        where
          x.expiry_date <= coalesce(:end_date, {{ day_of(posting_now()) }}) + (
            select
              warning_days (:organisation, 'expiry_warning_days')
          )
      ) as near
    from
      both_sides x
    group by all
  )
select
  w.name as warehouse_name,
  x.location,
  {{ goods_columns(product_code, product_name, specification_name, manufacturer_name, unit_name) }},
  x.quantity::numeric(18, 3) as quantity,
  x.reserved::numeric(18, 3) as reserved,
  x.available::numeric(18, 3) as available,
  x.transit::numeric(18, 3) as in_transit,
  x.pending::numeric(18, 3) as pending,
  x.near::numeric(18, 3) as near_quantity,
  x.first_expiry,
  x.consigned::numeric(18, 3) as consigned_quantity,
  x.value::numeric(18, 2) as value,
  case
    when v.is_low then 'low'
    when v.is_high then 'high'
  end as level,
  x.specification_id::text as specification_sn,
  x.warehouse_id::text as warehouse_sn,
  (coalesce(:end_date, {{ day_of(posting_now()) }}) - 364)::text as flow_from,
  coalesce(:end_date, {{ day_of(posting_now()) }})::text as flow_to
from
  summed x {{ goods(x.specification_id) }} {{ store_if_any(x.warehouse_id) }}
  left join levels v on v.specification_id = x.specification_id
where
  {{ named_product(p.name, p.code) }}
  and {{ made_by(o.name, p.brand) }}
  and (
    not :by_location
    or x.location is not null
  )
order by
  w.name,
  x.location,
  p.code,
  s.code
