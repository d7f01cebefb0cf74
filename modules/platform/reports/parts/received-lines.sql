-- Goods received at a price in the period by the moment of review, less returns; a document that undoes another counts
-- on its own day. Goods without a price are counted apart: nothing is owed for them.
received as (
  select
    {{ columns_of(d, id, kind, sn) }},
    d.reviewed_at as at,
    {{ columns_of(d, counterparty_id, warehouse_id, reviewed_by, red_of_id) }},
    {{ columns_of(l, line_no, specification_id, lot_no, expiry_date, source_document_id, source_line_no, tax_rate) }},
    l.price,
    g.sign * l.base_quantity as quantity,
    g.sign * l.untaxed_amount as untaxed_amount,
    g.sign * l.tax_amount as tax_amount,
    g.sign * l.taxed_amount as taxed_amount,
    g.owes,
    false as is_refused
  from
    document d
    cross join lateral (
      select
        {{ sign(d.kind, purchased) }} as sign,
        {{ feeds(d.kind, purchased) }} as owes
    ) g {{ lines_of(d.id) }}
  where
    d.org_id = :organisation
    and {{ counted(d, purchased, unowed) }}
    -- Consigned goods are bought with their settlement.
    and (
      {{ feeds(d.kind, titled) }}
      or d.regime is distinct from 'consigned'
    )
    and (
      l.owner_org_id is null
      or l.owner_org_id = :organisation
      or {{ feeds(d.kind, titled) }}
    )
    and {{ during(d.reviewed_at) }}
    and {{ warehouse_scope(d.warehouse_id) }}
    and {{ department_scope(d.department_id) }}
  union all
  -- Goods of a return that the supplier refused are owed again.
  select
    {{ columns_of(d, id, kind, sn) }},
    r.at,
    {{ columns_of(d, counterparty_id, warehouse_id, reviewed_by, red_of_id) }},
    {{ columns_of(l, line_no, specification_id, lot_no, expiry_date, source_document_id, source_line_no, tax_rate) }},
    l.price,
    {{ columns_of(r, quantity, untaxed_amount, tax_amount, taxed_amount) }},
    true,
    true
  from
    refused_return r {{ document_of(r.document_id) }}
    join {{ own(document_line, l, document_id = r.document_id, line_no = r.line_no) }}
  where
    r.org_id = :organisation
    and {{ counted(d, purchased) }}
    and coalesce(l.owner_org_id, :organisation) = :organisation
    and d.regime is distinct from 'consigned'
    and {{ during(r.at) }}
    and {{ warehouse_scope(d.warehouse_id) }}
    and {{ department_scope(d.department_id) }}
),
billed as (
  select
    x.source_document_id as document_id,
    x.source_line_no as line_no,
    sum(x.untaxed_amount) as untaxed,
    sum(x.taxed_amount) as taxed,
    string_agg(distinct v.fields ->> 'invoice_no', '、') as invoice_no
  from
    (
      select distinct
        id
      from
        received
    ) r
    join {{ own(document_line, x, source_document_id = r.id) }}
    join {{ own(document, v, id = x.document_id) }}
  where
    {{ counted(v, billed) }}
  group by all
),
priced as (
  select
    r.*,
    coalesce(b.untaxed, 0) as billed,
    {{ value_where(r.untaxed_amount - coalesce(b.untaxed, 0), r.owes) }} as estimated,
    b.invoice_no,
    case
      when not r.owes then null
      when r.is_refused then null
      when b.taxed is null
      or b.taxed = 0 then 'none'
      when b.taxed = r.taxed_amount + coalesce(f.taxed_amount, 0) then 'whole'
      else 'part'
    end as invoice_state
  from
    received r
    left join billed b on not r.is_refused
    and b.document_id = r.id
    and b.line_no = r.line_no
    left join lateral (
      select
        sum(x.taxed_amount) as taxed_amount
      from
        refused_return x
      where
        x.org_id = :organisation
        and x.document_id = r.id
        and x.line_no = r.line_no
    ) f on b.taxed is not null
    and {{ takes_back(r.kind, purchased) }}
)
