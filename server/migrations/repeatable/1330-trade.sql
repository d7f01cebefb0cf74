-- The trade between two organisations as both may see it. These views belong to the owner of the tables and pass by
-- their row policies. Each side reads the other side's documents that buy from it or sell to it, if it sent or was sent
-- them, and of them the number, the day and the amount (tests/tidy/schema.test.ts lists who names them).

create view traded_document as
select d.org_id, d.id, d.counterparty_id as partner_id, d.from_org_id, d.kind, d.role, d.sn, d.state
from document d
where d.kind = any(trading_kinds())
  and current_setting('app.org_id')::bigint in (d.org_id, d.counterparty_id)
  and d.state not in ('draft', 'cancelled', 'deleted');
grant select on traded_document to :app_role;

-- The lines in force that were bought or sold, a row each; lines that take back have a minus. Consigned goods count
-- with their settlement, and goods that a supplier refused of a return count on the day on which that became known.
-- `issuer_id` and `issued_no` name the document that both sides have: a delivery, a return or a settlement, by the
-- number that its issuer gave. Taxes are included.
create view traded_line as
select
  d.org_id, d.counterparty_id as partner_id, t.fact, d.id as document_id, d.kind, d.role, d.sn, d.red_of_id,
  l.source_document_id, l.delivery_document_id, d.reviewed_at, d.created_at,
  coalesce(d.reviewed_at, d.created_at) as at, k.issuer_id, k.issued_no,
  t.sign * l.base_quantity as quantity, t.sign * l.taxed_amount as amount
from document d
cross join lateral (
  select trade_fact(d.kind, d.role) as fact, trade_sign(d.kind, d.role) as sign
) t
join document_line l on l.org_id = d.org_id and l.document_id = d.id
left join document o on o.org_id = d.org_id and o.id = d.red_of_id
left join document s on s.org_id = d.org_id and s.id = l.source_document_id
left join document v on v.org_id = d.org_id and v.id = l.delivery_document_id
cross join lateral (
  select
    case
      when d.role = 'counterparty' then array[d.from_org_id::text, d.sn]
      -- Deliveries and returns are sent to the other side, which answers them.
      when (t.fact = 'sold') = (t.sign = 1) then array[d.org_id::text, coalesce(o.sn, d.sn)]
      when s.role = 'counterparty' and trade_fact(s.kind, 'own') is not null then array[s.from_org_id::text, s.sn]
      when t.sign = 1 and v.role = 'counterparty' then array[v.from_org_id::text, v.sn]
      when t.sign = -1 and s.role = 'own' then array[d.org_id::text, s.sn]
      else array[d.org_id::text, coalesce(o.sn, d.sn)]
    end as named
) n
cross join lateral (
  select n.named[1]::bigint as issuer_id, split_part(n.named[2], '/', 1) as issued_no
) k
where d.kind = any(trading_kinds())
  and t.fact is not null
  and d.state in ('reviewed', 'partial', 'completed', 'reversed')
  and (
    d.kind = any(titled_kinds())
    or d.regime is distinct from 'consigned'
      and (t.fact = 'sold' or coalesce(l.owner_org_id, d.org_id) = d.org_id)
  )
  and current_setting('app.org_id')::bigint in (d.org_id, d.counterparty_id)
union all
-- `refused_return`, which shows everybody his own rows alone.
select
  d.org_id, d.counterparty_id, 'purchased', d.id, d.kind, d.role, d.sn, d.red_of_id, null, null, m.at, m.at,
  m.at, d.org_id, d.sn, m.quantity, round(l.taxed_amount * m.quantity / l.base_quantity, 2)
from stock_move m
join document d on d.org_id = m.org_id and d.id = m.document_id
join document_line l on l.org_id = m.org_id and l.document_id = m.document_id and l.line_no = m.line_no
where m.step = 'arrive_reject'
  and m.quantity > 0
  and m.document_kind = any(refusable_kinds())
  and trade_fact(m.document_kind, d.role) = 'purchased'
  and d.state in ('reviewed', 'partial', 'completed', 'reversed')
  and coalesce(l.owner_org_id, d.org_id) = d.org_id
  and d.regime is distinct from 'consigned'
  and current_setting('app.org_id')::bigint in (d.org_id, d.counterparty_id);
grant select on traded_line to :app_role;

-- Lines by each document to which they may belong: their own, the one that they undo, or their source.
create view traded_under as
select t.document_id as under_id, t.* from traded_line t
union all
select t.red_of_id, t.* from traded_line t
union all
select t.source_document_id, t.* from traded_line t
union all
select t.delivery_document_id, t.*
from traded_line t
where t.source_document_id is distinct from t.delivery_document_id;
grant select on traded_under to :app_role;
