import type { ListColumn } from '#server/public/documents.ts'
import type { Fragment } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * How far a report `d` is settled, read from the settlements that its owner got: see `settledStages`. What its grant
 * settled is not due again, and what was lent and is sold is not settled at all.
 */
const settledStageSql = (tx: Tx): Fragment => tx`(
  case when d.role <> 'counterparty' then null
       when coalesce(d.fields->>'report_basis', 'consigned') in ('supplied', 'made') then 'none'
       when not exists (select 1 from document_line x where x.org_id = d.org_id and x.document_id = d.id
         and coalesce(x.fields->>'stock_source', '') <> 'loan') then 'none'
       else (
    select case when u.used = 0 and s.listed = 0 then 'netted' when u.due = 0 and u.used > 0 then 'granted'
                when u.due <> 0 and s.billed = u.due then 'invoiced'
                when u.due <> 0 and s.settled = u.due then 'settled' when s.settled <> 0 then 'part'
                  when s.listed <> 0 then 'waiting' else 'open' end
      from (select w.used, case when w.granted = 0 then w.used else greatest(w.used - w.granted, 0) end as due
        from (select coalesce(sum(x.base_quantity), 0) as used,
                     coalesce(sum((x.fields->>'granted_quantity')::numeric) filter (where r.red_of_id is null), 0)
                       as granted from document r
        join document_line x on x.org_id = r.org_id and x.document_id = r.id
             where r.org_id = d.org_id
               and (r.id = coalesce(d.red_of_id, d.id) or r.red_of_id = coalesce(d.red_of_id, d.id))
               and (x.owner_org_id is null or x.owner_org_id = d.org_id)
               and coalesce(x.fields->>'stock_source', '') <> 'loan') w) u,
           (select coalesce(sum(x.base_quantity), 0) as listed,
                   coalesce(sum(x.base_quantity) filter (where t.fields->>'settled_on' is not null), 0) as settled,
                   coalesce(sum(x.base_quantity) filter (where exists (
                     select 1 from document_line y join document g on g.org_id = y.org_id and g.id = y.document_id
                       join line_progress p on p.org_id = y.org_id and p.document_id = y.document_id
                         and p.line_no = y.line_no and p.purpose = 'invoice'
                      where y.org_id = x.org_id and y.source_document_id = x.document_id
                        and y.source_line_no = x.line_no
                        and g.role = 'counterparty' and g.state <> 'cancelled'
                          and abs(p.taken) >= abs(y.base_quantity))), 0) as billed
              from document_line x join document t on t.org_id = x.org_id and t.id = x.document_id
             where x.org_id = d.org_id and x.source_document_id = coalesce(d.red_of_id, d.id)
               and t.role = 'counterparty' and t.state <> 'cancelled') s) end)`

/** The column of use reports that says how far they are settled. */
export const settlementColumns: Readonly<Record<string, ListColumn>> = { settled_stage: settledStageSql }

/** The same on the page of such a report. */
export const settlementDetail = {
  settled_stage: (...[tx, definition]: Parameters<ListColumn>) =>
    definition.intercompany.copies?.some(send => send.reports) ? settledStageSql(tx) : null,
}
