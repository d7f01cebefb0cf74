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
      (posting_now () at time zone 'Asia/Shanghai')::date as today,
      :begin_date::timestamp at time zone 'Asia/Shanghai' as first_at,
      (:end_date + 1)::timestamp at time zone 'Asia/Shanghai' as last_at,
      sealed_month ((:end_date + 1)::timestamp at time zone 'Asia/Shanghai') as base
  ),
  -- Lines of orders by their requested day; without one, by the day of the order.
  order_lines as materialized (
    select
      d.id,
      d.sn,
      d.kind,
      d.counterparty_id,
      d.regime,
      l.line_no,
      l.specification_id,
      -- A stopped line (终止行) owes what was under way.
      l.base_quantity - coalesce(s.taken, 0) as base_quantity,
      n.expected_on,
      coalesce(n.expected_on, (d.reviewed_at at time zone 'Asia/Shanghai')::date) as day,
      d.state in ('completed', 'stopped') as is_closed
    from
      document d {{ lines_of(d.id) }} {{ progress_of(s, stop) }}
      cross join lateral (
        select
          coalesce(l.fields ->> 'expected_date', d.fields ->> 'expected_date')::date as expected_on,
          coalesce(
            (d.fields ->> 'expected_date')::date,
            -- Without such a day, when it was ordered.
            (d.reviewed_at at time zone 'Asia/Shanghai')::date
          ) as ordered_for
      ) n
    where
      d.org_id = :organisation
      and {{ feeds(d.kind, ordered) }}
      and d.role = 'own'
      and d.state in ('reviewed', 'partial', 'completed', 'stopped')
      and d.business_date between :begin_date - 366 and :end_date
      and {{ document_scope(d) }}
      and coalesce(n.expected_on, (d.reviewed_at at time zone 'Asia/Shanghai')::date) between :begin_date and :end_date
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
              and (g.reviewed_at at time zone 'Asia/Shanghai')::date <= o.expected_on
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
      join document_line l on l.org_id = :organisation
      and l.order_document_id = o.id
      and l.order_line_no = o.line_no
      join document g on g.org_id = :organisation
      and g.id = l.document_id
    where
      {{ counted(g, delivered, arrived) }}
    group by
      o.id,
      o.line_no
  ),
  -- Documents that count by the moment of their review, with their lines; orders count by their day.
  reviewed as (
    select
      d.id,
      d.sn,
      d.kind,
      d.counterparty_id,
      (d.reviewed_at at time zone 'Asia/Shanghai')::date as day,
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
    -- Goods of a return that the supplier refused did not go back.
    select
      d.id,
      d.sn,
      d.kind,
      d.counterparty_id,
      (r.at at time zone 'Asia/Shanghai')::date,
      coalesce(l.owner_org_id, :organisation) <> :organisation,
      d.red_of_id,
      l.specification_id,
      - r.quantity,
      - r.taxed_amount,
      null
    from
      days t
      join refused_return r on r.org_id = :organisation
      and r.at >= t.first_at
      and r.at < t.last_at {{ document_of(r.document_id) }}
      join document_line l on l.org_id = :organisation
      and l.document_id = r.document_id
      and l.line_no = r.line_no
    where
      {{ counted(d, purchased) }}
      and {{ document_scope(d) }}
    union all
    select
      d.id,
      d.sn,
      d.kind,
      d.counterparty_id,
      d.business_date,
      d.regime is not distinct from 'consigned',
      null,
      l.specification_id,
      l.base_quantity,
      ordered_worth (d.state, l.taxed_amount + l.rounding, l.base_quantity, g.taken, s.taken),
      null
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
      (e.at at time zone 'Asia/Shanghai')::date as day,
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
      left join document_line l on l.org_id = :organisation
      and l.document_id = e.document_id
      and l.line_no = e.line_no
    where
      {{ author_scope(d.created_by, d.submitted_by) }}
  ),
  -- The amount of a service fee is that of its bill: floors, caps and corrections have no line of their own.
  fees as (
    select
      d.sn,
      d.kind,
      d.counterparty_id,
      (d.reviewed_at at time zone 'Asia/Shanghai')::date as day,
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
      d.sn,
      d.kind,
      d.counterparty_id,
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
    select
      'due',
      o.counterparty_id,
      o.day,
      o.id,
      o.sn,
      o.kind,
      o.specification_id,
      o.regime is not distinct from 'consigned',
      o.base_quantity,
      null,
      null,
      o.expected_on,
      o.expected_on < t.today
      or coalesce(a.in_time, 0) >= o.base_quantity,
      coalesce(a.in_time, 0) >= o.base_quantity,
      coalesce(a.received, 0),
      null
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
    select
      'use',
      u.supplier_id,
      u.used_on,
      u.id,
      u.sn,
      u.kind,
      u.specification_id,
      u.is_consigned,
      u.base_quantity,
      u.amount,
      null,
      null,
      null,
      null,
      null,
      null
    from
      use_rows u
    where
      u.role = 'own'
    union all
    select
      'settlement',
      counterparty_id,
      day,
      null,
      sn,
      kind,
      specification_id,
      true,
      base_quantity,
      amount,
      null,
      null,
      null,
      null,
      null,
      null
    from
      settlements
    union all
    select
      'invoice',
      counterparty_id,
      day,
      id,
      sn,
      kind,
      specification_id,
      null,
      base_quantity,
      amount,
      null,
      null,
      null,
      null,
      null,
      null
    from
      invoices
    union all
    select
      'fee',
      counterparty_id,
      day,
      null,
      sn,
      kind,
      null,
      null,
      null,
      amount,
      null,
      null,
      null,
      null,
      null,
      null
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
    group by
      r.partner_id
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
    group by
      e.counterparty_id
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
    group by
      counterparty_id
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
          o.owner_id,
          o.specification_id,
          o.lot_id,
          o.warehouse_id,
          o.quantity
        from
          month_opening o
        where
          o.org_id = :organisation
          and o.month = (
            select
              base
            from
              days
          )
          and o.owner_id <> :organisation
        union all
        select
          m.owner_id,
          m.specification_id,
          m.lot_id,
          m.warehouse_id,
          m.quantity
        from
          stock_move m
        where
          m.org_id = :organisation
          and m.at >= month_start (
            (
              select
                base
              from
                days
            )
          )
          and m.at < (
            select
              last_at
            from
              days
          )
          and m.owner_id <> :organisation
      ) x
      join warehouse w on w.org_id = :organisation
      and w.id = x.warehouse_id
      and w.model <> 'consumed'
    where
      {{ store_scope(x.warehouse_id) }}
    group by
      x.owner_id,
      x.specification_id,
      x.lot_id
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
  x.side,
  x.day,
  x.document_sn,
  x.document_kind,
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
  case
    when x.side = 'receipt'
    and x.red_of_id is null then x.specification_id
  end as supplied_id,
  case
    when x.side = 'order' then x.document_id
  end as order_id,
  {{ value_where(x.amount, x.side = 'order') }}::numeric(18, 2) as order_amount,
  x.is_due::int as due,
  (
    x.is_due
    and x.is_in_time
  )::int as in_time,
  case
    when x.side = 'due' then x.quantity
  end as ordered_quantity,
  case
    when x.side = 'due' then least(x.received, x.quantity)
  end as filled_quantity,
  case
    when x.side = 'inspection' then x.quantity
  end as inspected_quantity,
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
  join organisation v on v.id = x.supplier_id
  left join specification s on s.id = x.specification_id
  left join product p on p.id = s.product_id {{ class_on(x.day) }}
where
  {{ asked(x.supplier_id, :supplier_sn) }}
  and {{ asked(x.side, :side) }}
  and {{ of_regime(x.is_consigned) }}
  and {{ of_class(:custom_type_sn, x.specification_id, x.day) }}
order by
  x.day desc,
  v.name,
  x.document_sn desc nulls last,
  x.specification_id
