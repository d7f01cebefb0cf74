-- The amounts bought of each partner, or sold to him, beside those in the partner's books, and the reasons of
-- differences.
with
  {{ part(compared) }},
  sides as (
    select
      b.partner_id,
      {{ filtered(sum(b.amount), b.is_ours) }} as our_amount,
      {{ filtered(sum(b.amount), not b.is_ours) }} as their_amount
    from
      booked b
    group by all
  ),
  reasons as (
    select
      e.partner_id,
      sum(e.amount) as difference,
      sum(e.amount * (e.why = 'on_way')::int) as on_way,
      sum(e.amount * (e.why = 'refused')::int) as refused,
      sum(e.amount * (e.why = 'other_days')::int) as other_days,
      sum(e.amount * (e.why = 'alone')::int) as alone,
      sum(e.amount * (e.why = 'unknown')::int) as unknown
    from
      explained e
    group by all
  )
select
  c.name as counterparty_name,
  s.partner_id::text as counterparty_sn,
  coalesce(s.our_amount, 0)::numeric(18, 2) as our_amount,
  {{ only_where(coalesce(s.their_amount, 0), p.id is not null) }}::numeric(18, 2) as their_amount,
  case
    when p.id is not null then coalesce(s.our_amount, 0) - coalesce(s.their_amount, 0)
  end::numeric(18, 2) as difference,
  coalesce(r.on_way, 0)::numeric(18, 2) as on_way_amount,
  coalesce(r.refused, 0)::numeric(18, 2) as refused_amount,
  coalesce(r.other_days, 0)::numeric(18, 2) as other_days_amount,
  coalesce(r.alone, 0)::numeric(18, 2) as alone_amount,
  coalesce(r.unknown, 0)::numeric(18, 2) as unknown_amount
from
  sides s
  join organisation c on c.id = s.partner_id
  left join partner p on p.id = s.partner_id
  left join reasons r on r.partner_id = s.partner_id
order by
  c.name,
  s.partner_id
