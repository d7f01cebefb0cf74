-- One row: how many organisations and products there are at the end of the last day, what happened in the period by the
-- trace ledger, and what waits for the platform now.
with
  events as (
    select
      e.org_id,
      a.system_type,
      e.document_kind,
      e.document_sn
    from
      trace_event e
      join organisation a on a.id = e.org_id
    where
      {{ during(e.at) }}
      and {{ asked(e.org_id, :party_sn) }}
  )
select
  (
    select
      count(*)
    from
      organisation o
    where
      o.system_type in (1, 2, 3)
      and o.status = 'enabled'
      and o.audit_state = 'passed'
      and o.created_at < {{ begin_of(:end_date + 1) }}
      and {{ asked(o.id, :party_sn) }}
  )::int as organisations,
  {{ filtered(count(distinct x.org_id), x.system_type in (1, 2, 3)) }}::int as active_organisations,
  {{ filtered(count(distinct (x.org_id, x.document_kind, x.document_sn)), x.org_id is not null) }}::int as documents,
  (
    select
      count(*)
    from
      product r
    where
      r.status = 'released'
      and r.created_at < {{ begin_of(:end_date + 1) }}
  )::int as products,
  max(k.coded)::int as coded_lines,
  max(k.scanned)::int as scanned_lines,
  (
    select
      count(*)
    from
      registration g
    where
      g.org_id = :organisation
      and g.state = 'pending'
  )::int as registrations_waiting,
  (
    select
      count(*)
    from
      product r
    where
      r.status = 'pending'
  )::int as products_waiting
from
  (
    select
      count(*) as coded,
      {{ filtered(count(*), c.is_scanned) }} as scanned
    from
      network_coded_line c
    where
      c.business_date between :begin_date and :end_date
      and {{ asked(c.org_id, :party_sn) }}
  ) k
  left join events x on true
