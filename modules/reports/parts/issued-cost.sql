-- What left in other ways than by sale, at cost, in the moments of `spent` (`since`, `until`). A hospital's goods are
-- spent when they are used; where a warehouse says that its goods are spent when they are granted to it, or received
-- by it, the grant or the receipt counts and the use does not, so that nothing counts twice. What was lost on the way
-- is the loss of the store that sent it, unless it was spent with its grant.
issued_cost as (
  select
    d.id,
    d.kind,
    d.sn,
    d.reviewed_at as at,
    d.counterparty_id,
    coalesce(d.department_id, t.department_id, w.department_id) as department_id,
    case w.model
      when 'transit' then d.to_warehouse_id
      else m.warehouse_id
    end as warehouse_id,
    m.line_no,
    m.specification_id,
    m.lot_id,
    w.department_id as store_department_id,
    d.created_by,
    d.submitted_by,
    -- What a ward received is counted where it came to, all else where it left.
    case d.kind
      when 'wardReceipt' then sum(m.quantity)
      else - sum(m.quantity)
    end as quantity,
    case d.kind
      when 'wardReceipt' then sum(m.value)
      else - sum(m.value)
    end as cost
  from
    spent
    cross join document d
    join stock_move m on m.org_id = :organisation
    and m.document_id = d.id
    join warehouse w on w.org_id = :organisation
    and w.id = m.warehouse_id
    left join warehouse t on t.org_id = :organisation
    and t.id = case d.kind
      when 'grantOdo' then d.to_warehouse_id
      when 'grantReturn' then d.warehouse_id
      when 'wardReceipt' then d.warehouse_id
    end
  where
    d.org_id = :organisation
    and d.role = 'own'
    -- All that may be: by kind and moment they are found by their index.
    and d.kind in (
      'giveOdo',
      'otherOdo',
      'loss',
      'scrap',
      'transfer',
      'transferReturn',
      'departmentUse',
      'surgeryUse',
      'grantOdo',
      'grantReturn',
      'wardReceipt'
    )
    and (
      d.kind in ('giveOdo', 'otherOdo', 'loss', 'scrap')
      or (
        d.kind in ('transfer', 'transferReturn')
        and d.counterparty_id is not null
      )
      or (
        d.kind in ('departmentUse', 'surgeryUse')
        and w.accounting = 'use'
      )
      or (
        t.accounting = 'issue'
        and d.kind in ('grantOdo', 'grantReturn')
        and m.warehouse_id = case d.kind
          when 'grantOdo' then d.warehouse_id
          else d.to_warehouse_id
        end
      )
      or (
        t.accounting = 'receipt'
        and (
          (
            d.kind = 'wardReceipt'
            and m.warehouse_id = d.warehouse_id
          )
          -- What never arrived was not spent either.
          or (
            d.kind = 'grantReturn'
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
        and d.kind = 'loss'
        and not exists (
          select
            1
          from
            document g
            join warehouse v on v.org_id = :organisation
            and v.id = g.to_warehouse_id
          where
            g.org_id = :organisation
            and g.role = 'own'
            and g.kind = 'grantOdo'
            and g.sn = m.location
            and v.accounting = 'issue'
        )
      )
    )
  group by
    d.id,
    d.kind,
    d.sn,
    d.reviewed_at,
    d.counterparty_id,
    d.department_id,
    t.department_id,
    w.department_id,
    w.model,
    d.to_warehouse_id,
    m.warehouse_id,
    m.line_no,
    m.specification_id,
    m.lot_id,
    d.created_by,
    d.submitted_by
)
