import type { ListColumn } from '#server/public/documents.ts'
import type { Fragment } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * The settled and invoiced quantities of the owner's report `d`, line by line: from the settlements that the owner was
 * sent, and from the owner's sales of lent goods, which the hospital settles by its receipt.
 */
const settledLines = (tx: Tx): Fragment => tx`(
  select x.base_quantity as listed,
         case when t.fields->>'settled_on' is not null then x.base_quantity else 0 end as settled,
         case when exists (
           select 1 from document_line y join document g on g.org_id = y.org_id and g.id = y.document_id
             join line_progress p on p.org_id = y.org_id and p.document_id = y.document_id
               and p.line_no = y.line_no and p.purpose = 'invoice'
            where y.org_id = x.org_id and y.source_document_id = x.document_id and y.source_line_no = x.line_no
              and g.role = 'counterparty' and g.state <> 'cancelled' and abs(p.taken) >= abs(y.base_quantity))
           then x.base_quantity else 0 end as billed
    from document_line x join document t on t.org_id = x.org_id and t.id = x.document_id
   where x.org_id = d.org_id and x.source_document_id = coalesce(d.red_of_id, d.id)
     and t.role = 'counterparty' and t.state <> 'cancelled'
  union all
  select x.base_quantity, coalesce(r.taken, 0),
         case when abs(i.taken) >= abs(x.base_quantity) then coalesce(r.taken, 0) else 0 end
    from document_line x join document t on t.org_id = x.org_id and t.id = x.document_id
    left join line_progress r on r.org_id = x.org_id and r.document_id = x.document_id and r.line_no = x.line_no
      and r.purpose = 'receive'
    left join line_progress i on i.org_id = x.org_id and i.document_id = x.document_id and i.line_no = x.line_no
      and i.purpose = 'invoice'
   where x.org_id = d.org_id and x.source_document_id = coalesce(d.red_of_id, d.id) and t.kind = 'boneSale'
     and t.role = 'own' and t.state in ('reviewed', 'partial', 'completed', 'reversed'))`

/** The stage of settlement of a report `d`: see `settledStages`. Goods settled by their grant are not due again. */
const settledStageSql = (tx: Tx): Fragment => tx`(
  case when d.role <> 'counterparty' then null
       when coalesce(d.fields->>'report_basis', 'consigned') in ('supplied', 'made') then 'none'
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
               and (x.owner_org_id is null or x.owner_org_id = d.org_id)) w) u,
           (select coalesce(sum(x.listed), 0) as listed, coalesce(sum(x.settled), 0) as settled,
                   coalesce(sum(x.billed), 0) as billed from ${settledLines(tx)} x) s) end)`

/** The column of use reports with their stage of settlement. */
export const settlementColumns: Readonly<Record<string, ListColumn>> = { settled_stage: settledStageSql }

/** The same on the page of such a report. */
export const settlementDetail = {
  settled_stage: (...[tx, definition]: Parameters<ListColumn>) =>
    definition.intercompany.copies?.some(send => send.reports) ? settledStageSql(tx) : null,
}
