-- Every cause of a warning that is present on the day :today, in the columns of `warning`.
with
  ahead as (
    select
      warning_days (:organisation, 'expiry_warning_days') as expiry_days,
      coalesce(
        (
          select
            k.first_days
          from
            licence_setting k
          where
            k.org_id = :organisation
            and k.licence_type = '医疗器械注册证/备案凭证'
            and k.status = 'enabled'
        ),
        max(s.certificate_days),
        90
      ) as certificate_days,
      coalesce(max(s.urgent_days), 30) as urgent_days,
      warning_days (:organisation, 'idle_warning_days') as idle_days,
      -- The last day that left goods idle for so many days with today, and its end in our time.
      {{ begin_of(:today - warning_days (:organisation, 'idle_warning_days') + 1) }} as idle_since,
      coalesce(max(s.stop_days), 7) as stop_days
    from
      warning_setting s
    where
      s.org_id = :organisation
  ),
  on_the_way as (
    select
      c.warehouse_id,
      coalesce(z.stands_for_id, c.specification_id) as specification_id,
      sum(c.quantity) as quantity
    from
      stock_coming c
      left join mapped_size z on z.specification_id = c.specification_id
    where
      c.org_id = :organisation
    group by all
  ),
  on_hand as (
    select
      {{ columns_of(b, warehouse_id, department_id, specification_id) }},
      sum(b.quantity) as quantity,
      sum(b.available) as available
    from
      stock_on_hand b
    where
      b.org_id = :organisation
      and b.warehouse_model <> 'transit'
    group by all
  ),
  mapped_to as (
    select
      stands_for_id,
      array_agg(specification_id) as sizes
    from
      mapped_size
    group by all
  ),
  held as (
    -- Stock of a mapped size counts for the specification that it is mapped to.
    select
      {{ columns_of(b, warehouse_id, department_id, specification_id, quantity, available) }},
      b.specification_id || coalesce(m.sizes, '{}') as sizes
    from
      (
        select
          l.warehouse_id,
          l.department_id,
          coalesce(z.stands_for_id, l.specification_id) as specification_id,
          sum(l.quantity) as quantity,
          sum(l.available) as available
        from
          on_hand l
          left join mapped_size z on z.specification_id = l.specification_id
        group by all
      ) b
      left join mapped_to m on m.stands_for_id = b.specification_id
  ),
  levelled as (
    select
      p.warehouse_id,
      p.stands_for_id as specification_id,
      p.min_quantity,
      p.max_quantity,
      w.department_id,
      coalesce(h.available, 0) as available,
      coalesce(h.quantity, 0) as held,
      coalesce(t.quantity, 0) as coming
    from
      stock_limit p
      join warehouse w on w.org_id = p.org_id
      and w.id = p.warehouse_id
      left join held h on h.warehouse_id = p.warehouse_id
      and h.specification_id = p.stands_for_id
      left join on_the_way t on t.warehouse_id = p.warehouse_id
      and t.specification_id = p.stands_for_id
    where
      p.org_id = :organisation
      -- Goods that a store only keeps on its list have no limits to be above or below.
      and p.max_quantity > 0
  ),
  idle as (
    select
      {{ columns_of(h, warehouse_id, department_id, specification_id, quantity) }}
    from
      held h
    where
      not exists (
        select
          1
        from
          stock_move m
          join document d on d.org_id = m.org_id
          and d.id = m.document_id
        where
          m.org_id = :organisation
          and m.warehouse_id = h.warehouse_id
          and m.specification_id = any (h.sizes)
          and m.quantity < 0
          and m.undo_of is null
          and m.at >= {{ column_of(ahead, idle_since) }}
      )
      and exists (
        select
          1
        from
          stock_move m
        where
          m.org_id = :organisation
          and m.warehouse_id = h.warehouse_id
          and m.specification_id = any (h.sizes)
          and m.at < {{ column_of(ahead, idle_since) }}
      )
  ),
  causes as (
    select
      'CERTIFICATIONEARLY' as category,
      'licence-' || l.id as object_key,
      'licence' as object_kind,
      o.name as object_name,
      l.licence_no as code,
      l.holder_id as partner_id,
      null::bigint as warehouse_id,
      null::bigint as department_id,
      null::bigint as specification_id,
      null::numeric as quantity,
      e.ends as expiry_date,
      null::numeric as threshold,
      null::numeric as proposed,
      null::text as level
    from
      licence l
      join organisation o on o.id = l.holder_id
      -- An authorisation ends with the last of what it authorises, where that is before its own day.
      cross join lateral (
        select
          least(
            {{ only_where(l.valid_to, not l.long_term) }},
            case
              when l.licence_type in ('授权书', '产品授权书') then (
                select
                  case
                    when bool_or(k.valid_to is null) then null
                    else max(k.valid_to)
                  end
                from
                  licence_line k
                where
                  k.org_id = l.org_id
                  and k.licence_id = l.id
                  and k.status = 'enabled'
              )
            end
          ) as ends
      ) e
    where
      l.org_id = :organisation
      and l.status = 'enabled'
      and l.audit_state = 'passed'
      and e.ends <= :today + licence_lead (:organisation, l.licence_type)
      and not exists (
        select
          1
        from
          licence n
        where
          n.org_id = :organisation
          and n.holder_id = l.holder_id
          and n.licence_type = l.licence_type
          and n.status = 'enabled'
          and n.grantee_id is not distinct from l.grantee_id
          and n.valid_from > l.valid_from
          and (
            n.long_term
            or n.valid_to > l.valid_to
          )
      )
    union all
    by name
    -- Licences that the organisation demands and has none of on file, of itself and of whom it trades with.
    select
      'CERTIFICATIONEARLY' as category,
      concat_ws('-', 'missing', h.id, m.licence_type) as object_key,
      'licence' as object_kind,
      h.name as object_name,
      m.licence_type as code,
      h.id as partner_id,
      'missing' as level
    from
      organisation h
      cross join lateral licence_missing (:organisation, h.id) m
    where
      h.id = :organisation
      or h.id in (
        select
          r.partner_id
        from
          org_relation r
        where
          r.org_id = :organisation
          and r.status = 'enabled'
      )
    union all
    by name
    -- A holder of a quality post needs a health check within a year and training; certificates may end too.
    select
      'CERTIFICATIONEARLY' as category,
      concat_ws('-', 'staff', e.id, k.file_kind) as object_key,
      'staffFile' as object_kind,
      concat_ws(' ', e.name, k.label) as object_name,
      e.code,
      e.department_id,
      f.ends as expiry_date,
      case
        when f.employee_id is null then 'missing'
        when f.ends < :today then 'expired'
        when f.ends <= :today + least(30, {{ column_of(ahead, urgent_days) }}) then 'urgent'
        else 'soon'
      end as level
    from
      employee e
      cross join (
        values
          ('health', '健康检查', true),
          ('training', '培训记录', true),
          ('certificate', '资格证书', false)
      ) k (file_kind, label, is_required)
      left join (
        -- The first that ends of what stands: of each kind and subject the file that ends last.
        select
          s.employee_id,
          s.file_kind,
          min(s.ends) as ends
        from
          (
            select
              employee_id,
              file_kind,
              max(coalesce(valid_to, 'infinity')) as ends
            from
              staff_file
            where
              org_id = :organisation
              and result = 'passed'
            group by
              employee_id,
              file_kind,
              {{ only_where(subject, file_kind <> 'health') }}
          ) s
        group by all
      ) f on f.employee_id = e.id
      and f.file_kind = k.file_kind
    where
      e.org_id = :organisation
      and e.status = 'enabled'
      and e.quality_post is not null
      and (
        f.ends <= :today + 30
        or f.employee_id is null
        and k.is_required
      )
    union all
    by name
    select
      'PRODUCTREGISTRATION' as category,
      'certificate-' || c.id as object_key,
      'registrationCertificate' as object_kind,
      c.product_name as object_name,
      c.certificate_no as code,
      c.holder_org_id as partner_id,
      k.quantity,
      c.valid_to as expiry_date
    from
      registration_certificate c
      join (
        select
          s.registration_certificate_id as id,
          sum(h.quantity) as quantity
        from
          on_hand h
          join specification s on s.id = h.specification_id
        group by all
      ) k on k.id = c.id
    where
      c.valid_to <= :today + {{ column_of(ahead, certificate_days) }}
      and not exists (
        select
          1
        from
          registration_certificate n
        where
          n.valid_from > c.valid_from
          and (
            n.certificate_no = c.certificate_no
            or n.previous_certificate_no = c.certificate_no
          )
      )
    union all
    by name
    select
      'PRODUCTEXPIRY' as category,
      concat_ws('-', 'lot', b.warehouse_id, b.lot_id) as object_key,
      'stockBalance' as object_kind,
      p.name || ' ' || s.name as object_name,
      b.lot_no as code,
      b.owner_org_id as partner_id,
      {{ columns_of(b, warehouse_id, department_id, specification_id, quantity, expiry_date) }}
    from
      (
        select
          o.warehouse_id,
          o.department_id,
          coalesce(z.stands_for_id, o.specification_id) as specification_id,
          coalesce({{ filtered(min(o.lot_id), z.stands_for_id is null) }}, min(o.lot_id)) as lot_id,
          o.lot_no,
          o.expiry_date,
          min(o.owner_org_id) as owner_org_id,
          sum(o.quantity) as quantity
        from
          stock_on_hand o
          left join mapped_size z on z.specification_id = o.specification_id
        where
          o.org_id = :organisation
          and o.warehouse_model <> 'transit'
          and o.expiry_date <= :today + {{ column_of(ahead, expiry_days) }}
        group by all
      ) b {{ product_of(b.specification_id) }}
    union all
    by name
    -- Opened bottles of a laboratory, whose days are fewer than those of their lot.
    select
      'PRODUCTEXPIRY' as category,
      'reagent-' || g.id as object_key,
      'reagentTrace' as object_kind,
      p.name || ' ' || s.name as object_name,
      {{ columns_of(g, code, warehouse_id, department_id, specification_id) }},
      1 as quantity,
      g.open_expiry as expiry_date,
      case
        when g.open_expiry < :today then 'expired'
        when g.open_expiry <= :today + 1 then 'urgent'
        else 'soon'
      end as level
    from
      reagent g {{ product_of(g.specification_id) }}
    where
      g.org_id = :organisation
      and g.state in ('opened', 'loaded', 'unloaded')
      and g.open_expiry <= :today + 3
    union all
    by name
    select
      'PRODUCTINVENTORY' as category,
      concat_ws('-', 'limit', x.warehouse_id, x.specification_id) as object_key,
      'warehouseProduct' as object_kind,
      p.name || ' ' || s.name as object_name,
      s.code,
      {{ columns_of(x, warehouse_id, department_id, specification_id) }},
      x.available as quantity,
      case
        when x.level = 'high' then x.max_quantity
        else x.min_quantity
      end as threshold,
      case
        when x.level = 'high' then null
        else greatest(x.max_quantity - x.available - x.coming, 0)
      end as proposed,
      x.level
    from
      (
        select
          levelled.*,
          case
            when available <= 0
            and coming = 0 then 'none'
            when is_low (available + coming, min_quantity) then 'low'
            when available > max_quantity then 'high'
          end as level
        from
          levelled
      ) x {{ product_of(x.specification_id) }}
    where
      x.level is not null
    union all
    by name
    select
      'PRODUCTINVENTORY' as category,
      concat_ws('-', 'idle', x.warehouse_id, x.specification_id) as object_key,
      'stockBalance' as object_kind,
      p.name || ' ' || s.name as object_name,
      s.code,
      {{ columns_of(x, warehouse_id, department_id, specification_id, quantity) }},
      {{ column_of(ahead, idle_days) }} as threshold,
      'idle' as level
    from
      idle x {{ product_of(x.specification_id) }}
    union all
    by name
    -- Doubtful goods that nobody has judged for too long: waiting for their check, or checked without a conclusion.
    select
      'PRODUCTINVENTORY' as category,
      'stop-' || d.id as object_key,
      'stopSale' as object_kind,
      '停售单' || d.sn as object_name,
      d.sn as code,
      d.warehouse_id,
      w.department_id,
      d.total_quantity as quantity,
      {{ column_of(ahead, stop_days) }} as threshold,
      'held' as level
    from
      document d
      join warehouse w on w.org_id = d.org_id
      and w.id = d.warehouse_id
    where
      d.org_id = :organisation
      and d.kind = 'stopSale'
      and d.role = 'own'
      and coalesce(d.fields ->> 'stop_type', 'stop') = 'stop'
      and d.submitted_at < (:today - {{ column_of(ahead, stop_days) }} + 1)::timestamp at time zone 'Asia/Shanghai'
      and (
        d.state = 'submitted'
        and coalesce(d.fields ->> 'check_state', '1') <> '2'
        or d.state in ('reviewed', 'partial')
        and d.fields ->> 'disposal' = 'hold'
        and d.fields ->> 'conclusion' = 'open'
      )
  ),
  -- A level that a cause does not say itself follows from the day on which it ends.
  found as (
    select
      {{ columns_of(c, category, object_key, object_kind, object_name, code, partner_id, warehouse_id) }},
      {{ columns_of(c, department_id, specification_id, quantity, expiry_date, threshold, proposed) }},
      case
        when c.level is not null then c.level
        when c.expiry_date < :today then 'expired'
        when c.expiry_date <= :today + {{ column_of(ahead, urgent_days) }} then 'urgent'
        else 'soon'
      end as level
    from
      causes c
  )
