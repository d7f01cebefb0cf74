import type { Acting, DocumentRules } from '#server/engine/documents/acting.ts'
import { handOver } from '#server/engine/documents/hand-over.ts'

/** A refused order is told to the buyer with the reason: it stands in the history of his purchase order and in his messages. */
async function tellBuyer(acting: Acting): Promise<void> {
  const { tx, session, doc, reason } = acting
  if (!doc.source_sn || !doc.source_org_sn || doc.source_org_sn === session.org.id) return
  await handOver(tx, session, doc.source_org_sn, doc.id, {
    message: 'act',
    kind: 'purchaseOrder',
    sn: doc.source_sn,
    action: 'supplierReject',
    label: '供应商已拒绝',
    reason,
    actor: session.userName,
  })
}

export const salesOrderRules: DocumentRules = { kind: 'salesOrder', after: { reject: tellBuyer } }
