-- The events by which the supply of a department is judged, a row an event on the day it counts: a line of a
-- requisition, a grant or a return, a use, a line counted, an abnormal supply. Rates are computed from these counts.
with
  {{ part(platform/reports/use/use-rows) }},
  {{ part(platform/reports/classed, class => :custom_type_sn) }},
  {{ part(platform/reports/finance-class) }},
  {{ part(platform/reports/claimed-lines) }},
  {{ part(platform/reports/restock-rows) }},
  {{ part(platform/reports/granted-lines) }},
  {{ part(platform/reports/score-weights, rule => 'spdScore', preset => :standard_weights) }},
  events as (
    select
      'claim' as side,
      {{ day_of(c.submitted_at) }} as day,
      c.sn as document_sn,
      c.kind as document_kind,
      c.claim_type,
      c.department_id,
      c.ward_id as warehouse_id,
      c.specification_id,
      c.asked as quantity,
      c.id as claim_id,
      {{ only_where(c.id, c.is_urgent) }} as urgent_id,
      1 as claimed,
      (c.approved > 0)::int as approved,
      (
        c.approved > 0
        and c.granted >= c.approved
        and c.granted_at <= c.due_at
      )::int as satisfied,
      case
        when d.is_delivered then round(
          extract(
            epoch
            from
              c.delivered_at - c.reviewed_at
          ) / 3600,
          2
        )
      end as delivery_hours,
      d.is_delivered::int as delivered,
      case
        when d.is_delivered then c.delivered_at <= c.due_at
        when c.due_at < f.now_at then false
      end as is_punctual,
      case
        when c.noted_at is not null
        and c.received_at is not null then c.received_at <= c.noted_at + interval '2 hours'
      end as is_prompt,
      null::boolean as is_scanned,
      null::numeric as granted_amount,
      null::numeric as returned_amount,
      null::boolean as is_exact,
      null::boolean as is_matched,
      null::text as abnormality
    from
      followed f
      join claimed_lines c on c.submitted_at >= f.first_at
      cross join lateral (
        select
          coalesce(c.approved, 0) > 0
          and c.granted > 0
          and c.delivered_at is not null as is_delivered
      ) d
    union all
    by name
    select
      'grant' as side,
      g.day,
      g.sn as document_sn,
      g.kind as document_kind,
      g.department_id,
      g.specification_id,
      g.sign * g.base_quantity as quantity,
      0 as claimed,
      0 as approved,
      0 as satisfied,
      0 as delivered,
      {{ value_where(g.taxed_amount, g.sign = 1) }} as granted_amount,
      {{ value_where(g.taxed_amount, g.sign = -1) }} as returned_amount
    from
      granted_lines g
    union all
    by name
    -- A use that was taken back does not count, nor does its reversal.
    select
      'use' as side,
      u.used_on as day,
      u.sn as document_sn,
      u.kind as document_kind,
      {{ columns_of(u, department_id, warehouse_id, specification_id) }},
      u.base_quantity as quantity,
      0 as claimed,
      0 as approved,
      0 as satisfied,
      0 as delivered,
      cardinality(u.unit_codes) > 0 as is_scanned,
      case
        when u.charge_state in ('checked', 'missed', 'over') then u.charge_state = 'checked'
      end as is_matched
    from
      use_rows u
    where
      u.role = 'own'
      and u.red_of_id is null
      and not exists (
        select
          1
        from
          document r
        where
          r.org_id = :organisation
          and r.red_of_id = u.id
          and r.state in ('reviewed', 'partial', 'completed')
      )
    union all
    by name
    select
      'count' as side,
      {{ day_of(d.reviewed_at) }} as day,
      d.sn as document_sn,
      d.kind as document_kind,
      w.department_id,
      d.warehouse_id,
      l.specification_id,
      (l.fields ->> 'counted_quantity')::numeric as quantity,
      0 as claimed,
      0 as approved,
      0 as satisfied,
      0 as delivered,
      coalesce((l.fields ->> 'difference')::numeric, 0) = 0 as is_exact
    from
      followed f
      join document d on d.org_id = :organisation
      and {{ feeds(d.kind, counted) }}
      and d.role = 'own'
      and d.state in ('reviewed', 'partial', 'completed', 'stopped')
      and d.reviewed_at >= f.first_at
      and d.reviewed_at < f.last_at
      join {{ own(warehouse, w, id = d.warehouse_id) }}
      and w.department_id is not null {{ lines_of(d.id) }}
    where
      l.fields ->> 'counted_quantity' is not null
      and {{ warehouse_scope(d.warehouse_id) }}
      and {{ author_scope(d.created_by, d.submitted_by) }}
    union all
    by name
    select
      'abnormal' as side,
      r.day,
      r.claim_sn as document_sn,
      {{ only_where('requisition', r.claim_sn is not null) }} as document_kind,
      {{ columns_of(r, department_id, warehouse_id, specification_id) }},
      0 as claimed,
      0 as approved,
      0 as satisfied,
      0 as delivered,
      r.abnormality
    from
      restock_rows r
  )
select
  {{ columns_of(x, side, day, document_sn, document_kind, claim_type) }},
  e.name as department_name,
  x.department_id::text as department_sn,
  {{ goods_columns(product_code, product_name, specification_name) }},
  x.specification_id::text as specification_sn,
  s.unit_name,
  fc.name as class_name,
  x.quantity::numeric(18, 3) as quantity,
  {{ columns_of(x, claim_id, urgent_id, claimed, approved, satisfied, delivery_hours, delivered) }},
  x.is_punctual::int as punctual,
  (x.is_punctual is not null)::int as due,
  x.is_prompt::int as prompt,
  (x.is_prompt is not null)::int as noted,
  x.is_scanned::int as scanned,
  (x.is_scanned is not null)::int as used,
  x.granted_amount::numeric(18, 2) as granted_amount,
  x.returned_amount::numeric(18, 2) as returned_amount,
  x.is_exact::int as exact,
  (x.is_exact is not null)::int as counted,
  x.is_matched::int as matched,
  (x.is_matched is not null)::int as charged,
  (x.abnormality is not null)::int as abnormal,
  x.abnormality,
  t.each[1] as satisfied_weight,
  t.each[2] as punctual_weight,
  t.each[3] as scan_weight,
  t.each[4] as count_weight,
  t.each[5] as charge_weight
from
  score_weights t
  cross join events x
  left join specification s on s.id = x.specification_id
  left join product p on p.id = s.product_id {{ department_if_any(x.department_id) }} {{ class_on(x.day) }}
where
  x.day between :begin_date and :end_date
  and x.department_id is not null
  and {{ ward_scope(x.department_id) }}
  and {{ narrowed(x, department_inner_sn, warehouse_model_inner_sn, side, claim_type) }}
  and {{ of_class(:custom_type_sn, x.specification_id, x.day) }}
order by
  x.day desc,
  x.document_sn desc nulls last,
  x.specification_id
