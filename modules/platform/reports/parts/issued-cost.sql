-- Goods that left in other ways than by sale, at cost, in the moments of `spent` (`since`, `until`). A hospital's goods
-- are spent when they are used; where a warehouse says that its goods are spent when they are granted to it, or
-- received by it, the grant or the receipt counts and the use does not, so that nothing counts twice. Goods lost on the
-- way are the loss of the store that sent them, unless they were spent with their grant.
issued_cost as (
  select
    {{ columns_of(d, id, kind, sn) }},
    d.reviewed_at as at,
    d.counterparty_id,
    coalesce(d.department_id, t.department_id, w.department_id) as department_id,
    case w.model
      when 'transit' then d.to_warehouse_id
      else m.warehouse_id
    end as warehouse_id,
    {{ columns_of(m, line_no, specification_id, lot_id) }},
    w.department_id as store_department_id,
    d.created_by,
    d.submitted_by,
    -- Goods received by a ward are counted where they came in, all others where they left.
    case
      when {{ feeds(d.kind, ward_received) }} then sum(m.quantity)
      else - sum(m.quantity)
    end as quantity,
    case
      when {{ feeds(d.kind, ward_received) }} then sum(m.value)
      else - sum(m.value)
    end as cost
  from
    spent
    cross join document d
    join stock_move m on m.org_id = :organisation
    and m.document_id = d.id {{ store_of(m.warehouse_id) }}
    left join warehouse t on t.org_id = :organisation
    and t.id = case
      when {{ adds(d.kind, granted) }} then d.to_warehouse_id
      when {{ feeds(d.kind, granted, ward_received) }} then d.warehouse_id
    end
  where
    d.org_id = :organisation
    and d.role = 'own'
    -- All that may be: by kind and moment they are found by their index.
    and {{ feeds(d.kind, given, otherwise_issued, lost, moved, used, granted, ward_received) }}
    and (
      {{ feeds(d.kind, given, otherwise_issued, lost) }}
      or (
        {{ feeds(d.kind, moved) }}
        and d.counterparty_id is not null
      )
      or (
        {{ feeds(d.kind, used) }}
        and w.accounting = 'use'
      )
      or (
        t.accounting = 'issue'
        and {{ feeds(d.kind, granted) }}
        and m.warehouse_id = case
          when {{ adds(d.kind, granted) }} then d.warehouse_id
          else d.to_warehouse_id
        end
      )
      or (
        t.accounting = 'receipt'
        and (
          (
            {{ feeds(d.kind, ward_received) }}
            and m.warehouse_id = d.warehouse_id
          )
          -- Goods that never arrived were not spent either.
          or (
            {{ takes_back(d.kind, granted) }}
            and d.source_type = 1
            and m.warehouse_id = d.to_warehouse_id
          )
        )
      )
    )
    and d.state in ('reviewed', 'partial', 'completed', 'reversed')
    and m.owner_id = :organisation
    and d.reviewed_at >= spent.since
    and d.reviewed_at < spent.until
    and (
      w.model not in ('transit', 'consumed')
      or (
        w.model = 'transit'
        and {{ feeds(d.kind, damaged) }}
        and not exists (
          select
            1
          from
            document g
            join {{ own(warehouse, v, id = g.to_warehouse_id) }}
          where
            g.org_id = :organisation
            and g.role = 'own'
            and {{ adds(g.kind, granted) }}
            and g.sn = m.location
            and v.accounting = 'issue'
        )
      )
    )
  group by
    {{ columns_of(d, id, kind, sn, reviewed_at, counterparty_id, department_id) }},
    t.department_id,
    w.department_id,
    w.model,
    d.to_warehouse_id,
    {{ columns_of(m, warehouse_id, line_no, specification_id, lot_id) }},
    d.created_by,
    d.submitted_by
)
