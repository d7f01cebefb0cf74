-- The requests of departments, a row a line of a requisition that was handed in: how much was approved, granted and
-- received of it and when, by when it was due, and when its document was closed. In base units. Goods delivered without
-- a dispatch count as delivered when they were received.
claims as materialized (
  select
    d.*
  from
    (
      select
        x.*
      from
        document x
      where
        x.org_id = :organisation
        and {{ feeds(x.kind, requested) }}
        and x.business_date between :begin_date - 120 and :end_date
      union all
      -- Older ones while they are open, or as far as they were granted in the period.
      select
        x.*
      from
        document x
      where
        x.org_id = :organisation
        and {{ feeds(x.kind, requested) }}
        and x.role = 'own'
        and x.state in ('submitted', 'rejected', 'reviewed', 'partial', 'stopped')
        and x.business_date < :begin_date - 120
      union all
      select
        x.*
      from
        document x
      where
        x.org_id = :organisation
        and {{ feeds(x.kind, requested) }}
        and (
          x.business_date > :end_date
          or x.business_date < :begin_date - 120
          and x.state in ('completed', 'cancelled')
        )
        and x.id in (
          select
            l.order_document_id
          from
            document g {{ lines_of(g.id) }}
          where
            g.org_id = :organisation
            and {{ adds(g.kind, granted) }}
            and g.business_date between :begin_date and :end_date
        )
    ) d
  where
    d.role = 'own'
    and d.state in ('submitted', 'rejected', 'reviewed', 'partial', 'completed', 'stopped', 'cancelled')
    and d.submitted_at < {{ begin_of(:end_date + 1) }}
    and {{ warehouse_scope(d.to_warehouse_id) }}
    and {{ department_scope(d.department_id) }}
    and {{ author_scope(d.created_by, d.submitted_by) }}
),
claim_grants as (
  select
    l.order_document_id as claim_id,
    l.order_line_no as claim_line_no,
    l.base_quantity as granted,
    {{ only_where(g.reviewed_at, l.base_quantity > 0) }} as granted_at,
    r.received,
    r.received_at,
    coalesce((x.fields ->> 'delivered_at')::timestamptz, r.received_at) as delivered_at,
    (x.fields ->> 'delivered_at')::timestamptz as noted_at
  from
    document_line l
    join {{ own(document, g, id = l.document_id) }}
    left join {{ own(document, x, id = l.source_document_id) }}
    and {{ feeds(x.kind, dispatched) }}
    left join lateral (
      select
        sum(y.base_quantity) as received,
        max(w.reviewed_at) as received_at
      from
        document_line y
        join {{ own(document, w, id = y.document_id) }}
      where
        y.org_id = :organisation
        and y.source_document_id = l.document_id
        and y.source_line_no = l.line_no
        and {{ counted(w, ward_received) }}
    ) r on true
  where
    l.org_id = :organisation
    and l.order_document_id in {{ column_of(claims, id) }}
    and {{ counted(g, granted) }}
    and {{ adds(g.kind, granted) }}
),
claim_supply as (
  select
    claim_id,
    claim_line_no,
    sum(granted) as granted,
    max(granted_at) as granted_at,
    coalesce(sum(received), 0) as received,
    max(received_at) as received_at,
    max(delivered_at) as delivered_at,
    max(noted_at) as noted_at
  from
    claim_grants
  group by all
),
claim_ends as (
  select
    h.document_id,
    max(h.at) as at
  from
    document_history h
  where
    h.org_id = :organisation
    and h.document_id in (
      select
        id
      from
        claims
      where
        state in ('rejected', 'stopped', 'cancelled')
    )
  group by all
),
claimed_lines as materialized (
  select
    {{ columns_of(d, id, sn, kind, state) }},
    l.line_no,
    d.department_id,
    d.to_warehouse_id as ward_id,
    d.warehouse_id as supply_id,
    l.specification_id,
    coalesce(z.stands_for_id, l.specification_id) as stands_for_id,
    coalesce(d.fields ->> 'claim_type', 'normal') as claim_type,
    coalesce((d.fields ->> 'is_urgent')::boolean, false) as is_urgent,
    d.submitted_at,
    d.reviewed_at,
    (d.fields ->> 'due_at')::timestamptz as due_at,
    round(n.asked * coalesce(l.base_quantity / nullif(l.quantity, 0), 1), 3) as asked,
    case
      when d.state in ('reviewed', 'partial', 'completed', 'stopped') then l.base_quantity
    end as approved,
    coalesce(s.granted, 0) as granted,
    s.granted_at,
    coalesce(s.received, 0) as received,
    {{ columns_of(s, received_at, delivered_at, noted_at) }},
    requisition_end (
      d.state,
      d.reviewed_at,
      max(s.granted_at) over (
        partition by
          d.id
      ),
      e.at
    ) as closed_at
  from
    claims d
    -- One by one: the planner, which takes them for more, reads the lines of all documents.
    cross join lateral (
      select
        *
      from
        document_line x
      where
        x.org_id = :organisation
        and x.document_id = d.id
      offset
        0
    ) l
    cross join lateral (
      select
        coalesce((l.fields ->> 'applied_quantity')::numeric, l.quantity) as asked
    ) n
    left join mapped_size z on z.specification_id = l.specification_id
    left join claim_supply s on s.claim_id = d.id
    and s.claim_line_no = l.line_no
    left join claim_ends e on e.document_id = d.id
)
