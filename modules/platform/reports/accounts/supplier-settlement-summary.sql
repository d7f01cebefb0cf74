-- Settlements with what was received, invoiced and paid of their lines, a row for each partner and type.
with
  {{ part(platform/reports/settlements/settled-lines) }},
  used as (
    with
      {{ part(platform/reports/use/use-rows) }}
    select
      case u.role
        when 'own' then u.owner_id
        else u.counterparty_id
      end as counterparty_id,
      case
        when u.use_type = 'surgery' then 'surgery'
        when p.is_reagent then 'reagent'
        when p.is_high_value then 'high_value'
        else 'low_value'
      end as settlement_type,
      sum(u.amount) as amount
    from
      use_rows u {{ goods(u.specification_id) }}
    where
      u.is_consigned
    group by all
  ),
  charged as (
    select
      s.counterparty_id,
      s.settlement_type,
      sum(x.taxed_amount) as amount
    from
      (
        select distinct
          sn,
          from_org_id,
          counterparty_id,
          settlement_type
        from
          settled
      ) s
      join document c on c.org_id = :organisation
      and (
        c.from_org_id = s.from_org_id
        or c.fields ->> 'hospital_sn' = s.from_org_id::text
      )
      join {{ own(document_line, x, document_id = c.id) }}
      and x.fields ->> 'settlement_no' = s.sn
    where
      {{ feeds(c.kind, charged) }}
      and c.red_of_id is null
      and c.state in ('reviewed', 'partial', 'completed')
    group by all
  ),
  summed as (
    select
      s.counterparty_id,
      s.settlement_type,
      count(distinct s.id)::int as settlement_count,
      sum(s.base_quantity) as quantity,
      sum(s.untaxed_amount) as untaxed,
      sum(s.tax_amount) as tax,
      sum(s.taxed_amount) as settled,
      - sum(least(s.taxed_amount, 0)) as returned,
      sum(s.taxed_amount * s.is_agreed::int) as confirmed,
      coalesce(sum(b.amount), 0) as invoiced,
      coalesce(sum(b.received_amount), 0) as received,
      coalesce(sum(b.paid), 0) as paid
    from
      settled s
      left join billed b on b.settlement_id = s.id
      and b.settlement_line_no = s.line_no
    where
      :settlement_type is null
      or s.settlement_type = :settlement_type
    group by all
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
      and invoiced <> paid
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
  (s.invoiced - s.paid)::numeric(18, 2) as unpaid_amount,
  coalesce(f.amount, 0)::numeric(18, 2) as service_fee,
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
  left join charged f on f.counterparty_id = s.counterparty_id
  and f.settlement_type is not distinct from s.settlement_type
order by
  s.place
