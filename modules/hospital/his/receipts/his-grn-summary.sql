-- Documents of the chosen days and the receipts of the HIS beside them, by kind.
select
  g.receipt_kind,
  ({{ filtered(count(g.document_id), not g.is_voided) }})::int as documents,
  {{ filtered(sum(g.amount), not g.is_voided) }} as amount,
  ({{ filtered(count(g.his_amount), g.push_state <> 'reversed') }})::int as his_documents,
  {{ sum_where(g.his_amount, g.push_state <> 'reversed') }} as his_amount,
  {{ sum_where(g.his_amount, g.push_state <> 'reversed') }} - {{ sum_where(g.amount, not g.is_voided) }} as difference,
  ({{ filtered(count(*), g.check_result <> 'same' and not g.is_voided) }})::int as different
from
  his_grn g
where
  g.org_id = :organisation
  and coalesce(g.reviewed_at, g.booked_at) >= ({{ begin_of(:begin_date) }})
  and coalesce(g.reviewed_at, g.booked_at) < ((:end_date::timestamp + interval '1 day') at time zone 'Asia/Shanghai')
  and {{ store_scope(g.warehouse_id) }}
group by all
order by
  min(g.id)
