-- The prices that suppliers agreed with the organisation, each with the number of its contract, and the contracts named
-- by documents. A contract ends on its last day or the day before its stop; a price of it may end earlier.
agreed as not materialized (
  select
    case
      when c.kind = 'priceRegistration' then coalesce(nullif(c.fields ->> 'contract_no', ''), c.sn)
      else coalesce(g.contract_no, c.sn, '未编号')
    end as contract_no,
    coalesce(c.kind = 'priceRegistration', false) as is_signed,
    {{ columns_of(g, id, seller_id, specification_id, price, price_type, valid_from) }},
    coalesce(g.valid_to, 'infinity'::date) as valid_to
  from
    price_agreement g
    left join {{ own(document, c, id = g.document_id) }}
  where
    g.org_id = :organisation
    and g.buyer_id = :organisation
    and g.status = 'enabled'
),
signed as (
  select
    coalesce(nullif(c.fields ->> 'contract_no', ''), c.sn) as contract_no,
    c.counterparty_id as seller_id,
    c.fields ->> 'contract_type' as contract_type,
    (c.fields ->> 'contract_amount')::numeric as amount,
    c.state = 'stopped' as is_stopped,
    coalesce(nullif(c.fields ->> 'valid_from', '')::date, c.business_date) as valid_from,
    least(coalesce(nullif(c.fields ->> 'valid_to', '')::date, 'infinity'::date), h.stopped_on - 1) as valid_to
  from
    document c
    left join lateral (
      select
        max({{ day_of(y.at) }}) as stopped_on
      from
        document_history y
      where
        y.org_id = :organisation
        and y.document_id = c.id
        and y.action = 'stop'
    ) h on c.state = 'stopped'
  where
    c.org_id = :organisation
    and c.kind = 'priceRegistration'
    and c.role = 'own'
    and c.fields ->> 'price_side' = 'buy'
    and c.state in ('reviewed', 'stopped')
)
