-- The last month that began up to the moment `around`, or the first after it, at whose beginning the goods `g` of a
-- store were within their `limits`. Found from that moment on, so that hardly more than a month is looked at.
select
  case
    when :before then max(s.month)
    else min(s.month)
  end
from
  month_sealed s
where
  (month_start (s.month) <= g.around) = :before
  and exists (
    select
      1
    from
      limits k
      cross join lateral (
        select
          coalesce(sum(o.quantity), 0) as on_hand
        from
          sizes z
          join month_opening o on o.org_id = :organisation
          and o.month = s.month
          and o.warehouse_id = k.warehouse_id
          and o.specification_id = z.size_id
        where
          z.stands_for_id = k.specification_id
          and o.quality_state = 'qualified'
      ) h
    where
      k.warehouse_id = g.warehouse_id
      and k.specification_id = g.specification_id
      and (
        k.since is null
        or k.since <= month_start (s.month)
      )
      and (
        k.until is null
        or k.until > month_start (s.month)
      )
      and (
        k.min_quantity = 0
        or h.on_hand > k.min_quantity
      )
      and (
        k.max_quantity = 0
        or h.on_hand <= k.max_quantity
      )
  )
