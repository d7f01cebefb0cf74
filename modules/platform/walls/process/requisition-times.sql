-- A ward's receipt is of a grant, and the grant of a requisition, by itself or by a dispatch.
select
  {{ day_of(b.reviewed_at) }} as day,
  extract(
    epoch
    from
      b.reviewed_at - q.reviewed_at
  ) / 3600 as hours
from
  document b
  join lateral (
    select distinct
      r.id
    from
      document_line l
      join {{ own(document_line, g, document_id = l.source_document_id, line_no = l.source_line_no) }}
      left join {{ own(document_line, p, document_id = g.source_document_id, line_no = g.source_line_no) }}
      join document r on r.org_id = :organisation
      and r.id in (g.source_document_id, p.source_document_id)
      and {{ feeds(r.kind, requested) }}
    where
      l.org_id = :organisation
      and l.document_id = b.id
  ) r on true
  join {{ own(document, q, id = r.id) }}
where
  b.org_id = :organisation
  and {{ counted(b, ward_received) }}
  and b.red_of_id is null
  and {{ during(b.reviewed_at) }}
  and q.reviewed_at is not null
  and {{ warehouse_scope(b.warehouse_id) }}
  and {{ department_scope(b.department_id) }}
