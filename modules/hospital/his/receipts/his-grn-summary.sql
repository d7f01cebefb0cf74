-- Documents of the chosen days and the receipts of the HIS beside them, by kind.
select
  g.receipt_kind,
  (
    count(g.document_id) filter (
      where
        not g.is_voided
    )
  )::int as documents,
  sum(g.amount) filter (
    where
      not g.is_voided
  ) as amount,
  (
    count(g.his_amount) filter (
      where
        g.push_state <> 'reversed'
    )
  )::int as his_documents,
  {{ sum_where(g.his_amount, g.push_state <> 'reversed') }} as his_amount,
  {{ sum_where(g.his_amount, g.push_state <> 'reversed') }} - {{ sum_where(g.amount, not g.is_voided) }} as difference,
  (
    count(*) filter (
      where
        g.check_result <> 'same'
        and not g.is_voided
    )
  )::int as different
from
  his_grn g
where
  g.org_id = :organisation
  and coalesce(g.reviewed_at, g.booked_at) >= (:begin_date::timestamp at time zone 'Asia/Shanghai')
  and coalesce(g.reviewed_at, g.booked_at) < ((:end_date::timestamp + interval '1 day') at time zone 'Asia/Shanghai')
  and {{ store_scope(g.warehouse_id) }}
group by
  g.receipt_kind
order by
  min(g.id)
