-- The events by which a supplier is judged, a row an event on the day it counts: an order, a line that was due, an
-- inspection, a receipt, a return, a use, a settlement, an invoice, a service fee; and the figures of the last day: the
-- amount owed to the supplier, its goods here on consignment, its licences and its service score.
with
  {{ part(platform/reports/use/use-rows) }},
  {{ part(platform/reports/classed, class => :custom_type_sn) }},
  {{ part(platform/reports/finance-class) }},
  {{ part(platform/reports/score-weights, rule => 'supplierScore', preset => :standard_weights) }},
  asked as (
    select
      :end_date::date as until
  ),
  {{ part(platform/reports/accounts/item-balances, counterparty_sn => :supplier_sn) }},
  days as (
    select
      {{ day_of(posting_now()) }} as today,
      {{ begin_of(:begin_date) }} as first_at,
      {{ begin_of(:end_date + 1) }} as last_at,
      sealed_month ({{ begin_of(:end_date + 1) }}) as base
  ),
  -- Lines of orders by their requested day; without one, by the day of the order.
  order_lines as materialized (
    select
      {{ columns_of(d, id, sn, kind, counterparty_id, regime) }},
      l.line_no,
      l.specification_id,
      -- A stopped line (终止行) owes what was under way.
      l.base_quantity - coalesce(s.taken, 0) as base_quantity,
      n.expected_on,
      coalesce(n.expected_on, {{ day_of(d.reviewed_at) }}) as day,
      d.state in ('completed', 'stopped') as is_closed
    from
      document d {{ lines_of(d.id) }} {{ progress_of(s, stop) }}
      cross join lateral (
        select
          coalesce(l.fields ->> 'expected_date', d.fields ->> 'expected_date')::date as expected_on,
          coalesce(
            (d.fields ->> 'expected_date')::date,
            -- Without such a day, when it was ordered.
            {{ day_of(d.reviewed_at) }}
          ) as ordered_for
      ) n
    where
      d.org_id = :organisation
      and {{ feeds(d.kind, ordered) }}
      and d.role = 'own'
      and d.state in ('reviewed', 'partial', 'completed', 'stopped')
      and d.business_date between :begin_date - 366 and :end_date
      and {{ document_scope(d) }}
      and coalesce(n.expected_on, {{ day_of(d.reviewed_at) }}) between :begin_date and :end_date
      and l.base_quantity > coalesce(s.taken, 0)
      -- Only orders of the year that may have a line that was due in the period.
      and (
        n.ordered_for between :begin_date and :end_date
        or d.id in (
          select
            x.document_id
          from
            document_line x
          where
            x.org_id = :organisation
            and x.fields ? 'expected_date'
            and x.fields ->> 'expected_date' >= to_char(:begin_date, 'YYYY-MM-DD')
            and x.fields ->> 'expected_date' <= to_char(:end_date, 'YYYY-MM-DD')
        )
      )
  ),
  -- The quantity of each line that came in, and how much of it by the day it was asked for: by the arrival where there
  -- was one.
  order_arrivals as (
    select
      o.id,
      o.line_no,
      coalesce(
        sum(l.base_quantity) filter (
          where
            {{ feeds(g.kind, delivered) }}
        ),
        0
      ) as received,
      greatest(
        coalesce(
          sum(l.base_quantity) filter (
            where
              {{ feeds(g.kind, delivered) }}
              and {{ day_of(g.reviewed_at) }} <= o.expected_on
          ),
          0
        ),
        coalesce(
          sum(l.base_quantity) filter (
            where
              {{ feeds(g.kind, arrived) }}
              and g.business_date <= o.expected_on
          ),
          0
        )
      ) as in_time
    from
      order_lines o
      join {{ own(document_line, l, order_document_id = o.id, order_line_no = o.line_no) }}
      join {{ own(document, g, id = l.document_id) }}
    where
      {{ counted(g, delivered, arrived) }}
    group by all
  ),
  -- Documents that count by the moment of their review, with their lines; orders count by their day.
  reviewed as (
    select
      {{ columns_of(d, id, sn, kind, counterparty_id) }},
      {{ day_of(d.reviewed_at) }} as day,
      case
        when {{ takes_back(d.kind, purchased) }} then coalesce(l.owner_org_id, :organisation) <> :organisation
        when {{ feeds(d.kind, delivered) }} then d.regime is not distinct from 'consigned'
        when {{ feeds(d.kind, titled) }} then false
      end as is_consigned,
      d.red_of_id,
      l.specification_id,
      l.base_quantity,
      l.taxed_amount + l.rounding as amount,
      case
        when {{ feeds(d.kind, inspected) }} then l.base_quantity * (1 - coalesce(n.bad / nullif(l.quantity, 0), 0))
      end as accepted
    from
      days t
      join document d on d.org_id = :organisation
      and d.reviewed_at >= t.first_at
      and d.reviewed_at < t.last_at {{ lines_of(d.id) }}
      cross join lateral (
        select
          (l.fields ->> 'unqualified_quantity')::numeric as bad
      ) n
    where
      d.role = 'own'
      and {{ feeds(d.kind, inspected, purchased) }}
      and d.state in ('reviewed', 'partial', 'completed', 'stopped', 'reversed')
      and {{ document_scope(d) }}
    union all
    by name
    -- Goods of a return that the supplier refused did not go back.
    select
      {{ columns_of(d, id, sn, kind, counterparty_id) }},
      {{ day_of(r.at) }} as day,
      coalesce(l.owner_org_id, :organisation) <> :organisation as is_consigned,
      d.red_of_id,
      l.specification_id,
      - r.quantity as base_quantity,
      - r.taxed_amount as amount
    from
      days t
      join refused_return r on r.org_id = :organisation
      and r.at >= t.first_at
      and r.at < t.last_at {{ document_of(r.document_id) }}
      join {{ own(document_line, l, document_id = r.document_id, line_no = r.line_no) }}
    where
      {{ counted(d, purchased) }}
      and {{ document_scope(d) }}
    union all
    by name
    select
      {{ columns_of(d, id, sn, kind, counterparty_id) }},
      d.business_date as day,
      d.regime is not distinct from 'consigned' as is_consigned,
      l.specification_id,
      l.base_quantity,
      ordered_worth (d.state, l.taxed_amount + l.rounding, l.base_quantity, g.taken, s.taken) as amount
    from
      document d {{ lines_of(d.id) }} {{ progress_of(g, receive) }} {{ progress_of(s, stop) }}
    where
      d.org_id = :organisation
      and {{ feeds(d.kind, ordered) }}
      and d.role = 'own'
      and d.state in ('reviewed', 'partial', 'completed', 'stopped')
      and d.business_date between :begin_date and :end_date
      and {{ document_scope(d) }}
  ),
  -- The invoiced amount is taken from the entries of the account, line by line, on the day it was posted.
  invoices as (
    select
      d.sn,
      d.kind,
      e.counterparty_id,
      {{ day_of(e.at) }} as day,
      d.id,
      l.specification_id,
      l.base_quantity * sign(e.amount) as base_quantity,
      e.amount
    from
      days t
      join money_entry e on e.org_id = :organisation
      and e.at >= t.first_at
      and e.at < t.last_at
      and e.account = 'payable_invoiced'
      and e.movement = 'rounding' {{ document_of(e.document_id) }}
      left join {{ own(document_line, l, document_id = e.document_id, line_no = e.line_no) }}
    where
      {{ author_scope(d.created_by, d.submitted_by) }}
  ),
  -- The amount of a service fee is that of its bill: floors, caps and corrections have no line of their own.
  fees as (
    select
      {{ columns_of(d, sn, kind, counterparty_id) }},
      {{ day_of(d.reviewed_at) }} as day,
      d.taxed_amount as amount
    from
      days t
      join document d on d.org_id = :organisation
      and {{ feeds(d.kind, charged) }}
      and d.role = 'own'
      and d.state in ('reviewed', 'partial', 'completed', 'stopped', 'reversed')
      and d.reviewed_at >= t.first_at
      and d.reviewed_at < t.last_at
    where
      {{ author_scope(d.created_by, d.submitted_by) }}
  ),
  settlements as (
    select
      {{ columns_of(d, sn, kind, counterparty_id) }},
      coalesce((d.fields ->> 'settled_on')::date, d.business_date) as day,
      l.specification_id,
      l.base_quantity,
      l.taxed_amount as amount
    from
      document d {{ lines_of(d.id) }}
    where
      d.org_id = :organisation
      and d.role = 'own'
      and {{ feeds(d.kind, settled) }}
      and is_settled (d.role, d.state, d.fields ->> 'settled_on')
      and coalesce((d.fields ->> 'settled_on')::date, d.business_date) between :begin_date and :end_date
      and {{ warehouse_scope(d.warehouse_id) }}
      and {{ author_scope(d.created_by, d.submitted_by) }}
  ),
  events as (
    select
      case
        when {{ feeds(kind, ordered) }} then 'order'
        when {{ feeds(kind, inspected) }} then 'inspection'
        when {{ feeds(kind, delivered) }} then 'receipt'
        when {{ feeds(kind, titled) }} then 'title'
        else 'return'
      end as side,
      counterparty_id as supplier_id,
      day,
      id as document_id,
      sn as document_sn,
      kind as document_kind,
      specification_id,
      is_consigned,
      base_quantity as quantity,
      amount,
      accepted,
      null::date as expected_on,
      null::boolean as is_due,
      null::boolean as is_in_time,
      null::numeric as received,
      red_of_id
    from
      reviewed
    union all
    by name
    select
      'due' as side,
      o.counterparty_id as supplier_id,
      o.day,
      o.id as document_id,
      o.sn as document_sn,
      o.kind as document_kind,
      o.specification_id,
      o.regime is not distinct from 'consigned' as is_consigned,
      o.base_quantity as quantity,
      o.expected_on,
      o.expected_on < t.today
      or coalesce(a.in_time, 0) >= o.base_quantity as is_due,
      coalesce(a.in_time, 0) >= o.base_quantity as is_in_time,
      coalesce(a.received, 0) as received
    from
      days t
      cross join order_lines o
      left join order_arrivals a on a.id = o.id
      and a.line_no = o.line_no
    where
      o.expected_on is not null
      and (
        o.expected_on < t.today
        or coalesce(a.in_time, 0) >= o.base_quantity
      )
      or o.is_closed
    union all
    by name
    select
      'use' as side,
      u.supplier_id,
      u.used_on as day,
      u.id as document_id,
      u.sn as document_sn,
      u.kind as document_kind,
      u.specification_id,
      u.is_consigned,
      u.base_quantity as quantity,
      u.amount
    from
      use_rows u
    where
      u.role = 'own'
    union all
    by name
    select
      'settlement' as side,
      counterparty_id as supplier_id,
      day,
      sn as document_sn,
      kind as document_kind,
      specification_id,
      true as is_consigned,
      base_quantity as quantity,
      amount
    from
      settlements
    union all
    by name
    select
      'invoice' as side,
      counterparty_id as supplier_id,
      day,
      id as document_id,
      sn as document_sn,
      kind as document_kind,
      specification_id,
      base_quantity as quantity,
      amount
    from
      invoices
    union all
    by name
    select
      'fee' as side,
      counterparty_id as supplier_id,
      day,
      sn as document_sn,
      kind as document_kind,
      amount
    from
      fees
  ),
  relations as (
    select
      r.partner_id as supplier_id,
      bool_or(r.status = 'enabled') as is_active
    from
      org_relation r
      join organisation o on o.id = r.partner_id
      and o.system_type in (2, 3)
    where
      r.org_id = :organisation
    group by all
  ),
  owed as (
    select
      e.counterparty_id as supplier_id,
      sum(e.amount) as amount
    from
      days t
      join account_entry e on e.org_id = :organisation
      and e.at < t.last_at
      and e.account in ('payable_estimated', 'payable_invoiced')
    group by all
  ),
  overdue as (
    select
      counterparty_id as supplier_id,
      sum(open_amount) as amount
    from
      item
    where
      direction = 'payable'
      and due_date < :end_date
    group by all
  ),
  shown as materialized (
    select
      x.supplier_id,
      licence_standing (:organisation, x.supplier_id, :end_date) as licences
    from
      (
        select
          supplier_id
        from
          events
        where
          supplier_id is not null
        union
        select
          supplier_id
        from
          owed
        where
          amount <> 0
        union
        select
          supplier_id
        from
          overdue
        union
        select
          supplier_id
        from
          relations
        where
          :cooperation = 'all'
      ) x
      left join relations r on r.supplier_id = x.supplier_id
    where
      coalesce(:cooperation, 'all') = 'all'
      or (:cooperation = 'active') = coalesce(r.is_active, false)
  ),
  -- The goods of other owners that were here on the last day: the opening of its month and the moves since.
  lodged as (
    select
      x.owner_id as supplier_id,
      x.specification_id,
      x.lot_id,
      sum(x.quantity) as quantity
    from
      (
        select
          {{ columns_of(o, owner_id, specification_id, lot_id, warehouse_id, quantity) }}
        from
          month_opening o
        where
          o.org_id = :organisation
          and o.month = {{ column_of(days, base) }}
          and o.owner_id <> :organisation
        union all
        select
          {{ columns_of(m, owner_id, specification_id, lot_id, warehouse_id, quantity) }}
        from
          stock_move m
        where
          m.org_id = :organisation
          and m.at >= month_start ({{ column_of(days, base) }})
          and m.at < {{ column_of(days, last_at) }}
          and m.owner_id <> :organisation
      ) x
      join {{ own(warehouse, w, id = x.warehouse_id) }}
      and w.model <> 'consumed'
    where
      {{ store_scope(x.warehouse_id) }}
    group by all
    having
      sum(x.quantity) > 0
  ),
  lodged_price as (
    select
      g.lot_id,
      r.taxed_amount / nullif(r.base_quantity, 0) as price
    from
      (
        select distinct
          lot_id
        from
          lodged
      ) g
      cross join lateral ({{ part(platform/reports/last-delivery, settled => false) }}) r
  ),
  served as (
    select distinct
      on (s.supplier_id) s.supplier_id,
      s.score
    from
      supplier_service_score s
    where
      s.org_id = :organisation
      and s.valid_from <= :end_date
    order by
      s.supplier_id,
      s.valid_from desc
  ),
  rows as (
    select
      e.*,
      null::numeric as owed,
      null::numeric as overdue,
      null::numeric as lodged,
      null::numeric as licence_points,
      null::numeric as service_points
    from
      events e
    union all
    select
      'standing',
      x.supplier_id,
      :end_date,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      coalesce(o.amount, 0),
      coalesce(v.amount, 0),
      null,
      (x.licences in ('valid', 'expiring'))::int,
      s.score / 100
    from
      shown x
      left join owed o on o.supplier_id = x.supplier_id
      left join overdue v on v.supplier_id = x.supplier_id
      left join served s on s.supplier_id = x.supplier_id
    union all
    select
      'lodged',
      l.supplier_id,
      :end_date,
      null,
      null,
      null,
      l.specification_id,
      true,
      l.quantity,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      round(l.quantity * coalesce(p.price, 0), 2),
      null,
      null
    from
      lodged l
      left join lodged_price p on p.lot_id = l.lot_id
  )
select
  {{ columns_of(x, side, day, document_sn, document_kind) }},
  v.name as supplier_name,
  x.supplier_id::text as supplier_sn,
  n.licences as licence_state,
  {{ goods_columns(product_code, product_name, specification_name) }},
  x.specification_id::text as specification_sn,
  s.unit_name,
  fc.name as class_name,
  case
    when x.is_consigned then 'consigned'
    when not x.is_consigned then 'purchased'
  end as regime,
  x.expected_on,
  x.quantity::numeric(18, 3) as quantity,
  x.received::numeric(18, 3) as received_quantity,
  x.accepted::numeric(18, 3) as accepted_quantity,
  x.amount::numeric(18, 2) as amount,
  {{ only_where(x.specification_id, x.side = 'receipt' and x.red_of_id is null) }} as supplied_id,
  {{ only_where(x.document_id, x.side = 'order') }} as order_id,
  {{ value_where(x.amount, x.side = 'order') }}::numeric(18, 2) as order_amount,
  x.is_due::int as due,
  (
    x.is_due
    and x.is_in_time
  )::int as in_time,
  {{ only_where(x.quantity, x.side = 'due') }} as ordered_quantity,
  {{ only_where(least(x.received, x.quantity), x.side = 'due') }} as filled_quantity,
  {{ only_where(x.quantity, x.side = 'inspection') }} as inspected_quantity,
  {{ value_where(x.amount, x.side = 'receipt') }}::numeric(18, 2) as received_amount,
  case
    when x.is_consigned then 0
    when x.side in ('receipt', 'title') then x.amount
    when x.side = 'return' then - x.amount
    else 0
  end::numeric(18, 2) as purchased_amount,
  {{ value_where(x.amount, x.side = 'return') }}::numeric(18, 2) as returned_amount,
  {{ value_where(x.amount, x.side = 'use') }}::numeric(18, 2) as used_amount,
  {{ value_where(x.amount, x.side = 'settlement') }}::numeric(18, 2) as settled_amount,
  {{ value_where(x.amount, x.side = 'invoice') }}::numeric(18, 2) as invoiced_amount,
  {{ value_where(x.amount, x.side = 'fee') }}::numeric(18, 2) as fee_amount,
  coalesce(x.owed, 0)::numeric(18, 2) as payable_amount,
  coalesce(x.overdue, 0)::numeric(18, 2) as overdue_amount,
  coalesce(x.lodged, 0)::numeric(18, 2) as lodged_amount,
  x.licence_points,
  (x.licence_points is not null)::int as licence_known,
  x.service_points,
  (x.service_points is not null)::int as service_known,
  t.each[1] as time_weight,
  t.each[2] as fill_weight,
  t.each[3] as quality_weight,
  t.each[4] as licence_weight,
  t.each[5] as service_weight
from
  score_weights t
  cross join rows x
  join shown n on n.supplier_id = x.supplier_id
  join organisation v on v.id = x.supplier_id {{ product_if_any(x.specification_id) }} {{ class_on(x.day) }}
where
  {{ narrowed(x, supplier_sn, side, regime) }}
  and {{ of_class(:custom_type_sn, x.specification_id, x.day) }}
order by
  x.day desc,
  v.name,
  x.document_sn desc nulls last,
  x.specification_id
