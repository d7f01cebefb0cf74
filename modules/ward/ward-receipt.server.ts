import { Refusal } from '#kernel/refusal.ts'
import type { Acting, DocumentRules } from '#server/engine/documents/acting.ts'

/** Only people of the receiving ward say what it received. */
async function refuseOthers({ session, doc }: Acting): Promise<void> {
  if (session.warehouses === 'all' || session.warehouses.has(doc.warehouse_model_inner_sn ?? '')) return
  throw new Refusal('forbidden', '没有操作权限：请由收货科室确认收货')
}

export const wardReceiptRules: DocumentRules = {
  kind: 'wardReceipt',
  before: { review: refuseOthers, unreview: refuseOthers },
}
