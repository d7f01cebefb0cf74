-- Each station with the kinds of its documents, those of the next one, and the states in which documents wait there. A
-- partner's document is a copy; it is done when it arrives here.
with
  station (name, place, kind, role, next_kinds, waiting_states) as (
    values
      ('order', 1, 'purchaseOrder', 'own', array['purchaseGrn'], array['submitted']),
      (
        'transit',
        2,
        'saleOdo',
        'counterparty',
        array['arrivalOrder', 'purchaseGrn'],
        array['reviewed', 'partial']
      ),
      ('arrival', 3, 'arrivalOrder', 'own', array['inspectionOrder', 'purchaseGrn'], array['submitted']),
      ('inspection', 4, 'inspectionOrder', 'own', array['purchaseGrn'], array['submitted']),
      ('receipt', 5, 'purchaseGrn', 'own', array[]::text[], array['submitted']),
      ('requisition', 6, 'requisition', 'own', array['grantOdo', 'dispatch'], array['submitted']),
      ('grant', 7, 'grantOdo', 'own', array['wardReceipt'], array['submitted']),
      ('ward', 8, 'wardReceipt', 'own', array[]::text[], array['draft', 'submitted']),
      ('use', 9, 'departmentUse', 'own', array[]::text[], array['submitted']),
      ('use', 9, 'surgeryUse', 'own', array[]::text[], array['submitted']),
      ('settlement', 10, 'settlement', 'own', array['settlementGrn', 'inboundInvoice'], array['submitted']),
      ('payment', 11, 'inboundInvoice', 'own', array['paymentApplication', 'payment'], array['submitted'])
  ),
  lately as (
    select
      least({{ begin_of(:begin_date) }}, posting_now () - interval '30 days') as seen_from
  ),
  visible as (
    select
      {{ columns_of(s, name, place, next_kinds, kind, waiting_states) }},
      d.id,
      d.state,
      coalesce(d.reviewed_at, d.created_at) as at
    from
      station s
      join {{ own(document, d, kind = s.kind, role = s.role) }}
    where
      (
        d.state = any (s.waiting_states)
        or coalesce(d.reviewed_at, d.created_at) >= {{ column_of(lately, seen_from) }}
      )
      and {{ document_scope(d) }}
  )
select
  v.place,
  v.name as station,
  v.kind as waiting_kind,
  array_to_string(v.waiting_states, ',') as waiting_states,
  (
    v.state in ('reviewed', 'partial', 'completed', 'reversed')
    and {{ during(v.at) }}
  )::int as done,
  (v.state = any (v.waiting_states))::int as waiting,
  n.hours
from
  visible v
  left join lateral (
    select
      extract(
        epoch
        from
          min(b.reviewed_at) - v.at
      ) / 3600 as hours
    from
      document_line x
      join {{ own(document, b, id = x.document_id) }}
    where
      x.org_id = :organisation
      and v.id in (x.source_document_id, x.order_document_id, x.delivery_document_id)
      and b.kind = any (v.next_kinds)
      and b.role = 'own'
      and b.reviewed_at >= v.at
      and b.state in ('reviewed', 'partial', 'completed', 'reversed')
  ) n on v.at >= posting_now () - interval '30 days'
  and v.state not in ('draft', 'submitted', 'rejected')
order by
  v.place
