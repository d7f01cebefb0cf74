-- A copy is in force once the hospital reviewed its document. What was invoiced is the share of the received lines that
-- checked invoices took; what was paid is counted on the lines of those invoices.
with
  settled as (
    select
      d.id,
      d.sn,
      d.from_org_id,
      d.counterparty_id,
      d.fields ->> 'settlement_type' as settlement_type,
      d.fields ->> 'confirm_state' in ('2', '4') as is_agreed,
      d.total_quantity,
      d.untaxed_amount,
      d.tax_amount,
      d.taxed_amount
    from
      document d
    where
      d.org_id = :organisation
      and d.kind = 'settlement'
      and d.red_of_id is null
      and d.business_date between :begin_date and :end_date
      and (
        d.role = 'own'
        and d.state in ('reviewed', 'partial', 'completed', 'stopped')
        or d.role = 'counterparty'
        and d.state <> 'cancelled'
        and d.fields ->> 'settled_on' is not null
      )
      and (
        :counterparty_sn is null
        or d.counterparty_id = :counterparty_sn
      )
      and (
        :settlement_type is null
        or d.fields ->> 'settlement_type' = :settlement_type
      )
  ),
  used as (
    select
      d.counterparty_id,
      d.fields ->> 'settlement_type' as settlement_type,
      sum(l.taxed_amount) as amount
    from
      document d
      join document_line l on l.org_id = d.org_id
      and l.document_id = d.id
    where
      d.org_id = :organisation
      and d.kind = 'settlement'
      and d.red_of_id is null
      and d.state not in ('draft', 'rejected', 'cancelled', 'deleted')
      and (l.fields ->> 'used_on')::date between :begin_date and :end_date
    group by
      1,
      2
  ),
  received as (
    select
      s.id,
      g.org_id,
      g.document_id,
      g.line_no,
      g.taxed_amount,
      round(g.taxed_amount * coalesce(p.taken, 0) / nullif(g.base_quantity, 0), 2) as invoiced
    from
      settled s
      join document_line g on g.org_id = :organisation
      and g.source_document_id = s.id
      join document r on r.org_id = g.org_id
      and r.id = g.document_id
      and r.kind = 'settlementGrn'
      and r.state in ('submitted', 'reviewed', 'partial', 'completed', 'reversed')
      and (
        r.role = 'counterparty'
        or r.state <> 'submitted'
      )
      left join line_progress p on p.org_id = g.org_id
      and p.document_id = g.document_id
      and p.line_no = g.line_no
      and p.purpose = 'invoice'
  ),
  chain as (
    select
      v.id,
      sum(v.taxed_amount) as received,
      sum(v.invoiced) as invoiced,
      sum(y.paid) as paid
    from
      received v
      cross join lateral (
        select
          coalesce(sum(p.taken), 0) as paid
        from
          document_line y
          join document i on i.org_id = y.org_id
          and i.id = y.document_id
          and i.role = 'own'
          and i.red_of_id is null
          and i.kind in ('inboundInvoice', 'outboundInvoice')
          join line_progress p on p.org_id = y.org_id
          and p.document_id = y.document_id
          and p.line_no = y.line_no
          and p.purpose = 'pay'
        where
          y.org_id = v.org_id
          and y.source_document_id = v.document_id
          and y.source_line_no = v.line_no
      ) y
    group by
      v.id
  ),
  returned as (
    select
      s.id,
      sum(- l.taxed_amount) as amount
    from
      settled s
      join document_line l on l.org_id = :organisation
      and l.document_id = s.id
      and l.taxed_amount < 0
    group by
      s.id
  ),
  charged as (
    select
      s.id,
      sum(x.taxed_amount) as amount
    from
      settled s
      join document c on c.org_id = :organisation
      and c.kind = 'serviceCharge'
      and (
        c.from_org_id = s.from_org_id
        or c.fields ->> 'hospital_sn' = s.from_org_id::text
      )
      and c.red_of_id is null
      and c.state in ('reviewed', 'partial', 'completed')
      join document_line x on x.org_id = c.org_id
      and x.document_id = c.id
      and x.fields ->> 'settlement_no' = s.sn
    group by
      s.id
  ),
  summed as (
    select
      s.counterparty_id,
      s.settlement_type,
      count(*)::int as settlement_count,
      sum(s.total_quantity) as quantity,
      sum(s.untaxed_amount) as untaxed,
      sum(s.tax_amount) as tax,
      sum(s.taxed_amount) as settled,
      coalesce(sum(b.amount), 0) as returned,
      coalesce(
        sum(s.taxed_amount) filter (
          where
            s.is_agreed
        ),
        0
      ) as confirmed,
      coalesce(sum(c.invoiced), 0) as invoiced,
      coalesce(sum(c.received), 0) as received,
      coalesce(sum(c.paid), 0) as paid,
      coalesce(sum(f.amount), 0) as fee
    from
      settled s
      left join chain c on c.id = s.id
      left join returned b on b.id = s.id
      left join charged f on f.id = s.id
    group by
      s.counterparty_id,
      s.settlement_type
  ),
  shown as (
    select
      *,
      row_number() over (
        order by
          settled desc,
          counterparty_id,
          settlement_type
      ) as place,
      count(*) over () as places,
      round(settled / nullif(sum(settled) over (), 0), 4) as part
    from
      summed
    where
      :gap is null
      or :gap = 'uninvoiced'
      and settled <> invoiced
      or :gap = 'unpaid'
      and received <> paid
  )
select
  o.name as counterparty_name,
  s.settlement_type,
  s.settlement_count,
  coalesce(u.amount, 0)::numeric(18, 2) as used_amount,
  s.quantity::numeric(18, 3) as settled_quantity,
  s.untaxed::numeric(18, 2) as untaxed_amount,
  s.tax::numeric(18, 2) as tax_amount,
  s.settled::numeric(18, 2) as settled_amount,
  s.returned::numeric(18, 2) as returned_amount,
  s.confirmed::numeric(18, 2) as confirmed_amount,
  s.invoiced::numeric(18, 2) as invoiced_amount,
  (s.settled - s.invoiced)::numeric(18, 2) as uninvoiced_amount,
  s.received::numeric(18, 2) as received_amount,
  s.paid::numeric(18, 2) as paid_amount,
  (s.received - s.paid)::numeric(18, 2) as unpaid_amount,
  s.fee::numeric(18, 2) as service_fee,
  case
    when s.place = s.places then 1 - coalesce(
      sum(s.part) over (
        order by
          s.place rows between unbounded preceding
          and 1 preceding
      ),
      0
    )
    else s.part
  end as settled_share,
  s.counterparty_id::text as counterparty_sn
from
  shown s
  join organisation o on o.id = s.counterparty_id
  left join used u on u.counterparty_id = s.counterparty_id
  and u.settlement_type is not distinct from s.settlement_type
order by
  s.place
