-- Lines of reviewed orders of which something is outstanding, with the most severe of what is wrong with them. A
-- supplier without an account confirms nothing here; what it sends shows when it is received.
with
  {{ part(platform/reports/classed, class => :custom_type_sn) }},
  now_at as materialized (
    select
      posting_now () as at,
      {{ day_of(posting_now()) }} as day,
      -- A column of its own: under row-level security no index is searched for what is computed from another.
      posting_now () - interval '30 days' as month_ago
  ),
  ordered as (
    select
      {{ columns_of(d, id, sn, kind, counterparty_id, warehouse_id, reviewed_at, business_date) }},
      coalesce((d.fields ->> 'is_urgent')::boolean, false) as is_urgent,
      d.fields ->> 'supplier_answer' as answer,
      {{ columns_of(l, line_no, specification_id, base_quantity, taxed_amount) }},
      coalesce(l.fields ->> 'expected_date', d.fields ->> 'expected_date')::date as expected_date,
      (d.fields ->> 'promised_date')::date as promised_date,
      coalesce(g.confirmed, 0) as confirmed,
      greatest(coalesce(g.shipped, 0), coalesce(g.received, 0)) as shipped,
      coalesce(g.received, 0) as received,
      -- A stopped line (终止行) waits for no more than what is under way.
      l.base_quantity - coalesce(g.stopped, 0) as standing
    from
      document d {{ lines_of(d.id) }}
      left join lateral (
        select
          {{ filtered(sum(p.taken), p.purpose = 'confirm') }} as confirmed,
          {{ filtered(sum(p.taken), p.purpose = 'ship') }} as shipped,
          {{ filtered(sum(p.taken), p.purpose = 'receive') }} as received,
          {{ filtered(sum(p.taken), p.purpose = 'stop') }} as stopped
        from
          line_progress p
        where
          p.org_id = :organisation
          and p.document_id = l.document_id
          and p.line_no = l.line_no
      ) g on true
    where
      d.org_id = :organisation
      and {{ feeds(d.kind, ordered) }}
      and d.role = 'own'
      and d.state in ('reviewed', 'partial')
      and {{ document_scope(d) }}
      and {{ narrowed(d, counterparty_sn, warehouse_model_inner_sn, department_inner_sn) }}
      and {{ same_specification(l.specification_id, :specification_sn) }}
      and {{ from(d.business_date, :begin_date) }}
      and {{ until(d.business_date, :end_date) }}
  ),
  standing as (
    select distinct
      on (o.counterparty_id) o.counterparty_id,
      licence_standing (:organisation, o.counterparty_id, n.day) = 'expired' as is_expired
    from
      ordered o,
      now_at n
    where
      o.received < o.standing
  ),
  judged as (
    select
      o.*,
      n.day,
      o.standing - o.received as open,
      case
        when c.valid_to < n.day
        or x.is_expired then 'licence'
        when o.received > 0
        and o.expected_date < n.day then 'part_late'
        when o.expected_date < n.day then 'late'
        when o.confirmed > 0
        and o.shipped = 0
        and o.expected_date <= n.day + 2 then 'unsent'
        when o.confirmed = 0
        and o.shipped = 0
        and o.answer is null
        and o.reviewed_at < n.at - interval '24 hours' then 'unconfirmed'
        when o.expected_date <= n.day + 3 then 'soon'
      end as warning
    from
      ordered o
      cross join now_at n
      join specification s on s.id = o.specification_id
      left join registration_certificate c on c.id = s.registration_certificate_id
      left join standing x on x.counterparty_id = o.counterparty_id
    where
      o.received < o.standing
  ),
  held as (
    select
      b.warehouse_id,
      b.specification_id,
      sum(b.quantity) as quantity,
      sum(b.available) as available
    from
      stock_on_hand b
    where
      b.org_id = :organisation
      and (b.warehouse_id, b.specification_id) in (
        select
          warehouse_id,
          specification_id
        from
          judged
      )
    group by all
  ),
  gone as (
    select
      m.warehouse_id,
      m.specification_id,
      - sum(m.quantity) as quantity
    from
      now_at n
      join stock_move m on m.org_id = :organisation
      and m.at >= n.month_ago
      and m.step in ('use', 'grant', 'issue')
    where
      (m.warehouse_id, m.specification_id) in (
        select
          warehouse_id,
          specification_id
        from
          judged
      )
    group by all
  ),
  reminded as (
    select
      h.document_id,
      count(*)::int as times
    from
      document_history h
    where
      h.org_id = :organisation
      and h.action = 'remind'
      and h.document_id in {{ column_of(judged, id) }}
    group by all
  ),
  listed as (
    select
      j.*,
      h.quantity as stock,
      {{ only_where(floor(coalesce(h.available, 0) * 30 / g.quantity)::int, g.quantity > 0) }} as supply_days,
      coalesce(t.times, 0) as reminders
    from
      judged j
      left join held h on h.warehouse_id = j.warehouse_id
      and h.specification_id = j.specification_id
      left join gone g on g.warehouse_id = j.warehouse_id
      and g.specification_id = j.specification_id
      left join reminded t on t.document_id = j.id
  )
select
  x.warning,
  concat_ws('-', x.id, x.line_no) as row_key,
  x.sn as document_sn,
  x.line_no,
  x.kind as document_kind,
  x.is_urgent,
  u.name as counterparty_name,
  w.name as warehouse_name,
  {{ goods_columns(product_code, product_name, specification_name, manufacturer_name, unit_name) }},
  1 as line_count,
  x.base_quantity::numeric(18, 3) as quantity,
  x.confirmed::numeric(18, 3) as confirmed_quantity,
  x.shipped::numeric(18, 3) as shipped_quantity,
  x.received::numeric(18, 3) as received_quantity,
  x.open::numeric(18, 3) as open_quantity,
  round(x.taxed_amount * x.open / x.base_quantity, 2)::numeric(18, 2) as open_amount,
  x.business_date as ordered_on,
  x.expected_date,
  coalesce(x.promised_date, x.expected_date) as arrives_on,
  {{ only_where(x.day - x.expected_date, x.expected_date < x.day) }} as days_late,
  coalesce(x.stock, 0)::numeric(18, 3) as stock,
  x.supply_days,
  {{ only_where('short', x.supply_days < greatest(coalesce(x.promised_date, x.expected_date) - x.day, 1)) }} as risk,
  x.reminders
from
  listed x
  join organisation u on u.id = x.counterparty_id
  left join warehouse w on w.org_id = :organisation
  and w.id = x.warehouse_id {{ goods(x.specification_id) }}
where
  x.warning is not null
  and {{ asked(x.warning, :warning) }}
  and (
    :is_late is not true
    or x.expected_date < x.day
  )
  and {{ from(x.expected_date, :begin_expected) }}
  and {{ until(x.expected_date, :end_expected) }}
  and (
    :days_late is null
    or x.day - x.expected_date >= case :days_late
      when 'month' then 31
      when 'week' then 8
      else 1
    end
  )
  and {{ asked(x.is_urgent, :is_urgent) }}
  and {{ named_product(p.name, p.code) }}
  and {{ made_by(o.name, p.brand) }}
  and {{ of_class(:custom_type_sn, x.specification_id, x.day) }}
order by
  array_position(array['licence', 'part_late', 'late', 'unsent', 'unconfirmed', 'soon'], x.warning),
  {{ columns_of(x, expected_date, sn, line_no) }}
