-- 价格历史 of agreed prices: which price held with whom from when to when, by which paper, and the one that held before it.
create view agreed_price with (security_invoker = true) as
select g.org_id, g.id, case when g.buyer_id = g.org_id then 'buy' else 'sell' end as price_side, case when g.buyer_id = g.org_id then g.seller_id else g.buyer_id end as partner_id,
       s.product_id, g.specification_id, g.price_type, lag(g.price) over w as old_price, g.price, round((g.price - lag(g.price) over w) / nullif(lag(g.price) over w, 0), 4) as change_rate,
       g.tax_rate, g.valid_from, g.valid_to, g.min_order, coalesce(g.contract_no, d.fields->>'document_no') as contract_no, d.sn as document_no, g.status
  from price_agreement g join specification s on s.id = g.specification_id
  left join document d on d.org_id = g.org_id and d.id = g.document_id
window w as (partition by g.org_id, g.seller_id, g.buyer_id, g.specification_id order by g.valid_from, g.id);
grant select on agreed_price to :app_role;
