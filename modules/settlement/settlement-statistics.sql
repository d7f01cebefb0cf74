-- What was taken back before it was settled is no use. A rate of nothing is none.
with
  used as (
    select
      s.owner_id,
      to_char(s.used_at at time zone 'Asia/Shanghai', 'YYYY-MM') as month,
      s.department_id,
      s.amount,
      s.state,
      s.state in ('settled', 'received', 'invoiced', 'paid') as is_settled,
      s.state in ('received', 'invoiced', 'paid') as is_received,
      s.state in ('invoiced', 'paid') as is_invoiced,
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
      join specification z on z.id = s.specification_id
      join product p on p.id = z.product_id
    where
      s.org_id = :organisation
      and s.state <> 'netted'
      and s.used_at >= :begin_date::timestamp at time zone 'Asia/Shanghai'
      and s.used_at < (:end_date::date + 1)::timestamp at time zone 'Asia/Shanghai'
      and {{ asked(s.owner_id, :counterparty_sn) }}
      and {{ asked(s.department_id, :department_inner_sn) }}
      and (
        :high_value is null
        or p.is_high_value = (:high_value = 'yes')
      )
      and (
        :unfinished is null
        or s.state <> 'paid'
      )
      and {{ department_scope(s.department_id) }}
      and {{ warehouse_scope(s.warehouse_id) }}
  ),
  summed as (
    select
      owner_id,
      month,
      department_id,
      count(*)::int as uses,
      sum(amount) as used,
      coalesce(
        sum(amount) filter (
          where
            state in ('waiting', 'uncharged', 'unpriced')
        ),
        0
      ) as waiting,
      coalesce(
        sum(amount) filter (
          where
            state = 'held'
        ),
        0
      ) as held,
      coalesce(
        sum(amount) filter (
          where
            state = 'settling'
        ),
        0
      ) as settling,
      coalesce(
        sum(amount) filter (
          where
            is_settled
        ),
        0
      ) as settled,
      coalesce(
        sum(amount) filter (
          where
            is_received
        ),
        0
      ) as received,
      coalesce(
        sum(amount) filter (
          where
            is_invoiced
        ),
        0
      ) as invoiced,
      coalesce(
        sum(amount) filter (
          where
            is_applied
        ),
        0
      ) as applied,
      coalesce(
        sum(amount) filter (
          where
            state = 'paid'
        ),
        0
      ) as paid
    from
      used
    group by
      owner_id,
      month,
      department_id
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
  round(s.paid / nullif(s.invoiced, 0), 4) as paid_share
from
  summed s
  join organisation o on o.id = s.owner_id
  left join department d on d.org_id = :organisation
  and d.id = s.department_id
order by
  o.name,
  s.month,
  d.name
