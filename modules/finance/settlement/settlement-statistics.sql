-- A use that was taken back before it was settled is not counted. A rate over zero is empty. Goods that were lent for
-- an operation and are received by the sale of their owner have no settlement: they count as under way once they are
-- sold, and as settled when they are received.
with
  use_days as not materialized (
    select
      :begin_date as since,
      :end_date as until
  ),
  {{ part(platform/reports/use/uses-of-days) }},
  lent_use as (
    select
      {{ columns_of(u, id, line_no, owner_id, department_id, specification_id, used_on) }},
      u.taxed_amount / u.base_quantity as price,
      u.base_quantity + coalesce(
        (
          select
            sum(r.base_quantity)
          from
            document m
            join {{ own(document_line, r, document_id = m.id, line_no = u.line_no) }}
          where
            m.org_id = :organisation
            and m.red_of_id = u.id
            and {{ counted(m, used) }}
        ),
        0
      ) as quantity
    from
      used u
    where
      u.is_lent
      and u.role = 'own'
      and u.red_of_id is null
      and not {{ any_own(settlement_line, s, use_document_id = u.id, use_line_no = u.line_no) }}
  ),
  lent_step as (
    select
      l.use_document_id,
      l.use_line_no,
      case
        when i.is_paid then 'paid'
        else l.state
      end as state,
      coalesce(i.is_applied, false) as is_applied,
      sum(l.quantity) as quantity,
      sum(l.amount) as amount
    from
      lent l
      left join lateral (
        select
          bool_and(coalesce(w.paid, 0) >= v.taxed_amount) as is_paid,
          bool_and(greatest(coalesce(w.applied, 0), coalesce(w.paid, 0)) >= v.taxed_amount) as is_applied
        from
          document_line v {{ document_of(v.document_id) }}
          left join lateral (
            select
              {{ filtered(max(g.taken), g.purpose = 'pay') }} as paid,
              {{ filtered(max(g.taken), g.purpose = 'apply') }} as applied
            from
              line_progress g
            where
              g.org_id = :organisation
              and g.document_id = v.document_id
              and g.line_no = v.line_no
          ) w on true
        where
          v.org_id = :organisation
          and v.source_document_id = l.document_id
          and v.source_line_no = l.line_no
          and {{ counted(d, billed) }}
          and d.red_of_id is null
      ) i on l.state = 'invoiced'
    group by all
    having
      sum(l.quantity) <> 0
  ),
  reached as (
    select
      s.owner_id,
      {{ day_of(s.used_at) }} as used_on,
      s.department_id,
      s.specification_id,
      1 as uses,
      s.amount,
      s.state,
      s.state = 'paid'
      or (
        s.state = 'invoiced'
        and exists (
          select
            1
          from
            document_line g
            join document_line v on v.org_id = g.org_id
            and v.source_document_id = g.document_id
            and v.source_line_no = g.line_no
            join line_progress a on a.org_id = v.org_id
            and a.document_id = v.document_id
            and a.line_no = v.line_no
            and a.purpose = 'apply'
            and a.taken >= v.taxed_amount
          where
            g.org_id = s.org_id
            and g.source_document_id = s.settlement_id
            and g.source_line_no = s.settlement_line_no
        )
      ) as is_applied
    from
      settlement_line s
    where
      s.org_id = :organisation
      and s.state <> 'netted'
      and s.used_at >= {{ begin_of(:begin_date) }}
      and s.used_at < {{ begin_of(:end_date::date + 1) }}
      and {{ department_scope(s.department_id) }}
      and {{ warehouse_scope(s.warehouse_id) }}
    union all
    select
      {{ columns_of(u, owner_id, used_on, department_id, specification_id) }},
      0,
      {{ columns_of(l, amount, state, is_applied) }}
    from
      lent_use u
      join lent_step l on l.use_document_id = u.id
      and l.use_line_no = u.line_no
    union all
    -- Goods that are not sold yet are a use at the agreed price; each line is one use, however far its pieces have got.
    select
      {{ columns_of(u, owner_id, used_on, department_id, specification_id) }},
      1,
      round((u.quantity - coalesce(k.quantity, 0)) * u.price, 2),
      'waiting',
      false
    from
      lent_use u
      left join lateral (
        select
          sum(l.quantity) as quantity
        from
          lent_step l
        where
          l.use_document_id = u.id
          and l.use_line_no = u.line_no
      ) k on true
    where
      u.quantity <> 0
  ),
  used_goods as (
    select
      x.*,
      to_char(x.used_on, 'YYYY-MM') as month,
      x.state in ('settled', 'received', 'invoiced', 'paid') as is_settled,
      x.state in ('received', 'invoiced', 'paid') as is_received,
      x.state in ('invoiced', 'paid') as is_invoiced
    from
      reached x
      join specification z on z.id = x.specification_id
      join product p on p.id = z.product_id
    where
      {{ asked(x.owner_id, :counterparty_sn) }}
      and {{ asked(x.department_id, :department_inner_sn) }}
      and {{ if_asked(:high_value, p.is_high_value = (:high_value = 'yes')) }}
      and {{ if_asked(:unfinished, x.state <> 'paid') }}
  ),
  summed as (
    select
      owner_id,
      month,
      department_id,
      sum(uses)::int as uses,
      sum(amount) as used,
      {{ sum_where(amount, state in ('waiting', 'uncharged', 'unpriced')) }} as waiting,
      {{ sum_where(amount, state = 'held') }} as held,
      {{ sum_where(amount, state = 'settling') }} as settling,
      {{ sum_where(amount, is_settled) }} as settled,
      {{ sum_where(amount, is_received) }} as received,
      {{ sum_where(amount, is_invoiced) }} as invoiced,
      {{ sum_where(amount, is_applied) }} as applied,
      {{ sum_where(amount, state = 'paid') }} as paid
    from
      used_goods
    group by all
  )
select
  o.name as supplier_name,
  s.month,
  d.name as department_name,
  s.uses as use_count,
  s.used::numeric(18, 2) as used_amount,
  s.waiting::numeric(18, 2) as waiting_amount,
  s.held::numeric(18, 2) as held_amount,
  s.settling::numeric(18, 2) as settling_amount,
  s.settled::numeric(18, 2) as settled_amount,
  s.received::numeric(18, 2) as received_amount,
  s.invoiced::numeric(18, 2) as invoiced_amount,
  (s.received - s.invoiced)::numeric(18, 2) as uninvoiced_amount,
  s.applied::numeric(18, 2) as applied_amount,
  s.paid::numeric(18, 2) as paid_amount,
  (s.invoiced - s.paid)::numeric(18, 2) as unpaid_amount,
  round(s.settled / nullif(s.used, 0), 4) as settled_share,
  round(s.invoiced / nullif(s.received, 0), 4) as invoiced_share,
  round(s.paid / nullif(s.invoiced, 0), 4) as paid_share,
  -- The uses behind a row: their owner, their department and the days of their month within the period.
  s.owner_id::text as supplier_sn,
  s.department_id::text as department_sn,
  'consigned' as regime,
  greatest(:begin_date, (s.month || '-01')::date)::text as first_day,
  least(:end_date, ((s.month || '-01')::date + interval '1 month' - interval '1 day')::date)::text as last_day
from
  summed s
  join organisation o on o.id = s.owner_id
  left join {{ own(department, d, id = s.department_id) }}
order by
  o.name,
  s.month,
  d.name
