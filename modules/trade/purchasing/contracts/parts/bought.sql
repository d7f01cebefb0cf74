-- Goods bought from the day :since on, less those finally returned: one row a line, with the day by which a contract
-- covers it and the contract that its order names. Reversals and returns belong to the day and contract of the document
-- that they undo. It reads the documents of the part `buying`.
bought as (
  select
    d.id as document_id,
    d.kind,
    d.sn,
    -- A reversal, or a document that was wholly reversed, counts with its amount but is not listed as a line.
    d.red_of_id is null
    and d.state <> 'reversed' as stands,
    {{ columns_of(d, counterparty_id, warehouse_id, department_id) }},
    {{ day_of(d.reviewed_at) }} as booked_on,
    (coalesce(f.reviewed_at, b.reviewed_at, d.reviewed_at) at time zone 'Asia/Shanghai')::date as day,
    nullif(p.fields ->> 'contract_no', '') as named_no,
    p.business_date as ordered_on,
    l.specification_id,
    round(l.taxed_amount / nullif(l.base_quantity, 0), 4) as price,
    {{ sign(d.kind, purchased) }} * (l.taxed_amount - coalesce(r.taxed_amount, 0)) as amount
  from
    buying d {{ lines_of(d.id) }}
    left join lateral (
      select
        sum(y.taxed_amount) as taxed_amount
      from
        refused_return y
      where
        y.org_id = :organisation
        and y.document_id = d.id
        and y.line_no = l.line_no
    ) r on {{ takes_back(d.kind, purchased) }}
    left join {{ own(document, b, id = d.red_of_id) }}
    left join {{ own(document_line, bl, document_id = b.id, line_no = l.line_no) }}
    left join document f on f.org_id = :organisation
    and {{ takes_back(d.kind, purchased) }}
    and f.id = coalesce(bl.source_document_id, l.source_document_id)
    and {{ feeds(f.kind, delivered, titled) }}
    left join {{ own(document_line, fl, document_id = f.id) }}
    and fl.line_no = coalesce(bl.source_line_no, l.source_line_no)
    left join document p on p.org_id = :organisation
    and p.id = coalesce(fl.order_document_id, bl.order_document_id, l.order_document_id)
    and {{ feeds(p.kind, ordered) }}
  where
    d.org_id = :organisation
    and {{ counted(d, purchased) }}
    -- Consigned goods are bought with their settlement.
    and (
      {{ feeds(d.kind, titled) }}
      or d.regime is distinct from 'consigned'
    )
    and (
      :since::date is null
      or d.reviewed_at >= {{ begin_of(:since) }}
    )
    and (
      :until::date is null
      or d.reviewed_at < {{ begin_of(:until::date + 1) }}
    )
)
