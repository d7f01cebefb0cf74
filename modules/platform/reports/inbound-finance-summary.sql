-- The lines of the other tab summed, never counted again, so that both agree to the cent.
with
  {{ part(inbound-lines) }}
select
  c.name as counterparty_name,
  x.tax_rate,
  count(distinct x.id)::int as document_count,
  sum(x.quantity)::numeric(18, 3) as quantity,
  sum(x.untaxed_amount)::numeric(18, 2) as untaxed_amount,
  sum(x.tax_amount)::numeric(18, 2) as tax_amount,
  sum(x.taxed_amount)::numeric(18, 2) as taxed_amount,
  sum(x.billed)::numeric(18, 2) as billed,
  sum(x.estimated)::numeric(18, 2) as estimated,
  x.counterparty_id::text as counterparty_sn
from
  chosen x
  left join organisation c on c.id = x.counterparty_id
group by
  c.name,
  x.counterparty_id,
  x.tax_rate
order by
  c.name,
  x.tax_rate
