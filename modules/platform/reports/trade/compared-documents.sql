with
  {{ part(compared) }}
select
  c.name as counterparty_name,
  x.why as reason,
  {{ columns_of(x, document_kind, document_sn, our_day, their_sn, their_day) }},
  x.our_amount::numeric(18, 2) as our_amount,
  x.their_amount::numeric(18, 2) as their_amount,
  x.amount::numeric(18, 2) as difference
from
  explained x
  join organisation c on c.id = x.partner_id
where
  {{ asked(x.why, :reason) }}
order by
  c.name,
  x.issued_no,
  x.why
