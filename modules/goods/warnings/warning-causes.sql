-- $1 organisation, $2 today. Every cause of a warning that is present now, in the columns of `warning`.
with
  ahead as (
    select
      warning_days ($1, 'expiry_warning_days') as expiry_days,
      coalesce(
        (
          select
            k.first_days
          from
            licence_setting k
          where
            k.org_id = $1
            and k.licence_type = '医疗器械注册证/备案凭证'
            and k.status = 'enabled'
        ),
        max(s.certificate_days),
        90
      ) as certificate_days,
      coalesce(max(s.urgent_days), 30) as urgent_days,
      warning_days ($1, 'idle_warning_days') as idle_days,
      -- The last day that left goods idle for so many days with today, and its end in our time.
      ($2::date - warning_days ($1, 'idle_warning_days') + 1)::timestamp at time zone 'Asia/Shanghai' as idle_since,
      coalesce(max(s.stop_days), 7) as stop_days
    from
      warning_setting s
    where
      s.org_id = $1
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
      c.org_id = $1
    group by
      1,
      2
  ),
  on_hand as (
    select
      b.warehouse_id,
      b.department_id,
      b.specification_id,
      sum(b.quantity) as quantity,
      sum(b.available) as available
    from
      stock_on_hand b
    where
      b.org_id = $1
      and b.warehouse_model <> 'transit'
    group by
      1,
      2,
      3
  ),
  mapped_to as (
    select
      stands_for_id,
      array_agg(specification_id) as sizes
    from
      mapped_size
    group by
      1
  ),
  held as (
    -- Stock of a mapped size counts for the specification that it is mapped to.
    select
      b.warehouse_id,
      b.department_id,
      b.specification_id,
      b.quantity,
      b.available,
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
        group by
          1,
          2,
          3
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
      p.org_id = $1
      -- Goods that a store only keeps on its list have no limits to be above or below.
      and p.max_quantity > 0
  ),
  idle as (
    select
      h.warehouse_id,
      h.department_id,
      h.specification_id,
      h.quantity
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
          m.org_id = $1
          and m.warehouse_id = h.warehouse_id
          and m.specification_id = any (h.sizes)
          and m.quantity < 0
          and m.undo_of is null
          and m.at >= (
            select
              idle_since
            from
              ahead
          )
      )
      and exists (
        select
          1
        from
          stock_move m
        where
          m.org_id = $1
          and m.warehouse_id = h.warehouse_id
          and m.specification_id = any (h.sizes)
          and m.at < (
            select
              idle_since
            from
              ahead
          )
      )
  ),
  found as (
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
      case
        when e.ends < $2 then 'expired'
        when e.ends <= $2::date + (
          select
            urgent_days
          from
            ahead
        ) then 'urgent'
        else 'soon'
      end as level
    from
      licence l
      join organisation o on o.id = l.holder_id
      -- An authorisation ends with the last of what it authorises, where that is before its own day.
      cross join lateral (
        select
          least(
            case
              when not l.long_term then l.valid_to
            end,
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
      l.org_id = $1
      and l.status = 'enabled'
      and l.audit_state = 'passed'
      and e.ends <= $2::date + licence_lead ($1, l.licence_type)
      and not exists (
        select
          1
        from
          licence n
        where
          n.org_id = $1
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
    -- Licences that the organisation demands and has none of on file, of itself and of whom it trades with.
    select
      'CERTIFICATIONEARLY',
      concat_ws('-', 'missing', h.id, m.licence_type),
      'licence',
      h.name,
      m.licence_type,
      h.id,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      'missing'
    from
      organisation h
      cross join lateral licence_missing ($1, h.id) m
    where
      h.id = $1
      or h.id in (
        select
          r.partner_id
        from
          org_relation r
        where
          r.org_id = $1
          and r.status = 'enabled'
      )
    union all
    -- A holder of a quality post needs a health check within a year and training; certificates may end too.
    select
      'CERTIFICATIONEARLY',
      concat_ws('-', 'staff', e.id, k.file_kind),
      'staffFile',
      concat_ws(' ', e.name, k.label),
      e.code,
      null,
      null,
      e.department_id,
      null,
      null,
      f.ends,
      null,
      null,
      case
        when f.employee_id is null then 'missing'
        when f.ends < $2 then 'expired'
        when f.ends <= $2::date + least(
          30,
          (
            select
              urgent_days
            from
              ahead
          )
        ) then 'urgent'
        else 'soon'
      end
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
              org_id = $1
              and result = 'passed'
            group by
              employee_id,
              file_kind,
              case
                when file_kind <> 'health' then subject
              end
          ) s
        group by
          s.employee_id,
          s.file_kind
      ) f on f.employee_id = e.id
      and f.file_kind = k.file_kind
    where
      e.org_id = $1
      and e.status = 'enabled'
      and e.quality_post is not null
      and (
        f.ends <= $2::date + 30
        or f.employee_id is null
        and k.is_required
      )
    union all
    select
      'PRODUCTREGISTRATION',
      'certificate-' || c.id,
      'registrationCertificate',
      c.product_name,
      c.certificate_no,
      c.holder_org_id,
      null,
      null,
      null,
      k.quantity,
      c.valid_to,
      null,
      null,
      case
        when c.valid_to < $2 then 'expired'
        when c.valid_to <= $2::date + (
          select
            urgent_days
          from
            ahead
        ) then 'urgent'
        else 'soon'
      end
    from
      registration_certificate c
      join (
        select
          s.registration_certificate_id as id,
          sum(h.quantity) as quantity
        from
          on_hand h
          join specification s on s.id = h.specification_id
        group by
          1
      ) k on k.id = c.id
    where
      c.valid_to <= $2::date + (
        select
          certificate_days
        from
          ahead
      )
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
    select
      'PRODUCTEXPIRY',
      concat_ws('-', 'lot', b.warehouse_id, b.lot_id),
      'stockBalance',
      p.name || ' ' || s.name,
      b.lot_no,
      b.owner_org_id,
      b.warehouse_id,
      b.department_id,
      b.specification_id,
      b.quantity,
      b.expiry_date,
      null,
      null,
      case
        when b.expiry_date < $2 then 'expired'
        when b.expiry_date <= $2::date + (
          select
            urgent_days
          from
            ahead
        ) then 'urgent'
        else 'soon'
      end
    from
      (
        select
          o.warehouse_id,
          o.department_id,
          coalesce(z.stands_for_id, o.specification_id) as specification_id,
          coalesce(
            min(o.lot_id) filter (
              where
                z.stands_for_id is null
            ),
            min(o.lot_id)
          ) as lot_id,
          o.lot_no,
          o.expiry_date,
          min(o.owner_org_id) as owner_org_id,
          sum(o.quantity) as quantity
        from
          stock_on_hand o
          left join mapped_size z on z.specification_id = o.specification_id
        where
          o.org_id = $1
          and o.warehouse_model <> 'transit'
          and o.expiry_date <= $2::date + (
            select
              expiry_days
            from
              ahead
          )
        group by
          o.warehouse_id,
          o.department_id,
          3,
          o.lot_no,
          o.expiry_date
      ) b
      join specification s on s.id = b.specification_id
      join product p on p.id = s.product_id
    union all
    -- Opened bottles of a laboratory, whose days are fewer than those of their lot.
    select
      'PRODUCTEXPIRY',
      'reagent-' || g.id,
      'reagentTrace',
      p.name || ' ' || s.name,
      g.code,
      null,
      g.warehouse_id,
      g.department_id,
      g.specification_id,
      1,
      g.open_expiry,
      null,
      null,
      case
        when g.open_expiry < $2 then 'expired'
        when g.open_expiry <= $2::date + 1 then 'urgent'
        else 'soon'
      end
    from
      reagent g
      join specification s on s.id = g.specification_id
      join product p on p.id = s.product_id
    where
      g.org_id = $1
      and g.state in ('opened', 'loaded', 'unloaded')
      and g.open_expiry <= $2::date + 3
    union all
    select
      'PRODUCTINVENTORY',
      concat_ws('-', 'limit', x.warehouse_id, x.specification_id),
      'warehouseProduct',
      p.name || ' ' || s.name,
      s.code,
      null,
      x.warehouse_id,
      x.department_id,
      x.specification_id,
      x.available,
      null,
      case
        when x.level = 'high' then x.max_quantity
        else x.min_quantity
      end,
      case
        when x.level = 'high' then null
        else greatest(x.max_quantity - x.available - x.coming, 0)
      end,
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
      ) x
      join specification s on s.id = x.specification_id
      join product p on p.id = s.product_id
    where
      x.level is not null
    union all
    select
      'PRODUCTINVENTORY',
      concat_ws('-', 'idle', x.warehouse_id, x.specification_id),
      'stockBalance',
      p.name || ' ' || s.name,
      s.code,
      null,
      x.warehouse_id,
      x.department_id,
      x.specification_id,
      x.quantity,
      null,
      (
        select
          idle_days
        from
          ahead
      ),
      null,
      'idle'
    from
      idle x
      join specification s on s.id = x.specification_id
      join product p on p.id = s.product_id
    union all
    -- Doubtful goods that nobody has judged for too long: waiting for their check, or checked without a conclusion.
    select
      'PRODUCTINVENTORY',
      'stop-' || d.id,
      'stopSale',
      '停售单' || d.sn,
      d.sn,
      null,
      d.warehouse_id,
      w.department_id,
      null,
      d.total_quantity,
      null,
      (
        select
          stop_days
        from
          ahead
      ),
      null,
      'held'
    from
      document d
      join warehouse w on w.org_id = d.org_id
      and w.id = d.warehouse_id
    where
      d.org_id = $1
      and d.kind = 'stopSale'
      and d.role = 'own'
      and coalesce(d.fields ->> 'stop_type', 'stop') = 'stop'
      and d.submitted_at < (
        $2::date - (
          select
            stop_days
          from
            ahead
        ) + 1
      )::timestamp at time zone 'Asia/Shanghai'
      and (
        d.state = 'submitted'
        and coalesce(d.fields ->> 'check_state', '1') <> '2'
        or d.state in ('reviewed', 'partial')
        and d.fields ->> 'disposal' = 'hold'
        and d.fields ->> 'conclusion' = 'open'
      )
  )
