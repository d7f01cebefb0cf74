-- Goods that departments were granted and gave back in the period by the day of review, a row a line: `sign` is minus
-- for returns.
granted_lines as (
  select
    {{ day_of(d.reviewed_at) }} as day,
    d.sn,
    d.kind,
    coalesce(w.department_id, d.department_id) as department_id,
    l.specification_id,
    coalesce(l.owner_org_id, :organisation) <> :organisation as is_consigned,
    n.sign,
    l.base_quantity,
    l.taxed_amount
  from
    document d
    cross join lateral (
      select
        {{ sign(d.kind, granted) }} as sign,
        case
          when {{ takes_back(d.kind, granted) }} then d.warehouse_id
          else d.to_warehouse_id
        end as ward_id
    ) n {{ lines_of(d.id) }} {{ store_if_any(n.ward_id) }}
  where
    d.org_id = :organisation
    and {{ counted(d, granted) }}
    and {{ during(d.reviewed_at) }}
    and {{ store_scope(n.ward_id) }}
    and {{ author_scope(d.created_by, d.submitted_by) }}
)
