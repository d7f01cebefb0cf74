import { sourceTypes } from '#kernel/definition/source-type.ts'
import { purchaseGrn } from '#modules/goods/stock/receipts/purchase-grn.doc.ts'
import { buildDraft, saveDraft, defaultWarehouseSql } from '#server/public/drafts.ts'
import { settingsFor } from '#server/public/settings.ts'
import { type Session, systemSession } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** The maximum fetched at once; for more, fetch again. */
const MOST = 50

type Waiting = { readonly sn: string; readonly from_org_id: string | null; readonly is_delivery: boolean }

/**
 * Inspections and deliveries with something left to receive and no receipt: the remainder of partial receipts, and
 * discarded automatic drafts. A delivery counted on arrival goes by its inspection. Only those for the user's own
 * warehouses: others may have many.
 */
const waitingOf = (tx: Tx, { org, warehouses }: Session, deliveriesToo: boolean): Promise<Waiting[]> => tx<Waiting[]>`
  select d.sn, d.from_org_id, d.kind = 'saleOdo' as is_delivery
    from document d
   where d.org_id = ${org.id} and d.red_of_id is null
     and ((d.kind = 'inspectionOrder' and d.role = 'own' and d.state in ('reviewed', 'partial', 'completed'))
       or (${deliveriesToo} and d.kind = 'saleOdo' and d.role = 'counterparty' and d.state in ('reviewed', 'partial')))
     and exists (select 1 from document_line l
                  where l.org_id = ${org.id} and l.document_id = d.id and l.base_quantity > coalesce((
                    select sum(g.taken) from line_progress g
                     where g.org_id = ${org.id} and g.document_id = d.id and g.line_no = l.line_no
                       and g.purpose in ('receive', 'refuse', 'reject', 'return', 'reverse')), 0))
     and not exists (select 1 from document_line x join document r on r.org_id = ${org.id} and r.id = x.document_id
                      where x.org_id = ${org.id} and x.source_document_id = d.id and r.role = 'own'
                        and (r.kind = 'purchaseGrn' and r.state in ('draft', 'rejected', 'submitted')
                          or r.kind = 'arrivalOrder' and r.state not in ('deleted', 'cancelled')))
     ${
       warehouses === 'all'
         ? tx``
         : tx`and coalesce(d.warehouse_id,
       ${defaultWarehouseSql(tx)}) = any(${[...warehouses]}::bigint[])`
     }
   order by d.id limit ${MOST}`

/** 获取待收货单: a draft for each of them, as it would have been created automatically. */
export async function fetchWaiting(tx: Tx, session: Session): Promise<Record<string, unknown>> {
  const { arrival_before_receipt } = await settingsFor(tx, session.org.id)
  const organisation = systemSession(session.org)
  const sns: string[] = []
  for (const { sn, from_org_id, is_delivery } of await waitingOf(tx, session, !arrival_before_receipt)) {
    const header = {
      source_sn: sn,
      source_org_sn: is_delivery ? from_org_id : null,
      source_type: is_delivery ? sourceTypes.ODO : sourceTypes.ARRIVAL_RECORD,
    }
    const draft = await buildDraft(tx, organisation, purchaseGrn, header, null)
    sns.push(await saveDraft(tx, organisation, purchaseGrn, draft, 'draft'))
  }
  return { sns, result: sns.length === 0 ? '没有新的待收货单' : `已生成${sns.length}张待收货单：${sns.join('、')}` }
}
