-- True if stock is 低于下限: at its lower limit or under it. Null where no limit is set.
create function is_low(p_quantity numeric, p_limit numeric) returns boolean language sql immutable
as $$
  select p_quantity <= p_limit
$$;

-- The suppliers from whom a hospital may buy each of its specifications, with price and letter of authorisation, as
-- agreed in its catalogue.
create view product_supplier with (security_invoker = true) as
select
  g.org_id, g.id, g.specification_id, g.seller_id as supplier_id, g.price, g.tax_rate, g.valid_from, g.valid_to,
  a.licence_no as authorisation_no, case when a.long_term then null else a.valid_to end as authorisation_until,
  g.min_order, g.lead_days, coalesce(h.supplier_id = g.seller_id, false) as is_preferred, g.status
from price_agreement g
join specification s on s.id = g.specification_id
join product p on p.id = s.product_id
left join hospital_product h on h.org_id = g.org_id and h.specification_id = g.specification_id
left join lateral (
  select l.licence_no, l.valid_to, l.long_term
  from licence l
  where l.org_id = g.org_id
    and l.licence_type = '授权书'
    and l.status = 'enabled'
    and (l.grantee_id = g.seller_id or l.holder_id = g.seller_id)
    and (l.grantor_id is null or l.grantor_id = p.manufacturer_id)
  order by l.long_term desc, l.valid_to desc nulls last
  limit 1
) a on true
where g.buyer_id = g.org_id;
grant select on product_supplier to :app_role;

-- 价格历史 of agreed prices: which price held with whom from when to when, by which document, and the one that held
-- before it.
create view agreed_price with (security_invoker = true) as
select
  g.org_id, g.id, case when g.buyer_id = g.org_id then 'buy' else 'sell' end as price_side,
  case when g.buyer_id = g.org_id then g.seller_id else g.buyer_id end as partner_id, s.product_id,
  g.specification_id, g.price_type, lag(g.price) over w as old_price, g.price,
  round((g.price - lag(g.price) over w) / nullif(lag(g.price) over w, 0), 4) as change_rate, g.tax_rate,
  g.valid_from, g.valid_to, g.min_order, coalesce(g.contract_no, d.fields->>'document_no') as contract_no,
  d.sn as document_no, g.status
from price_agreement g
join specification s on s.id = g.specification_id
left join document d on d.org_id = g.org_id and d.id = g.document_id
window w as (partition by g.org_id, g.seller_id, g.buyer_id, g.specification_id order by g.valid_from, g.id);
grant select on agreed_price to :app_role;
