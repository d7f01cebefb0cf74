select
  d.kind as document_kind,
  1 as waiting,
  floor(
    extract(
      epoch
      from
        posting_now () - coalesce(d.submitted_at, d.created_at)
    ) / 3600
  )::int as oldest_hours
from
  document d
where
  d.org_id = :organisation
  and d.role = 'own'
  and d.state = 'submitted'
  and {{ document_scope(d) }}
