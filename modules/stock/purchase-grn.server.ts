import { Refusal } from '#kernel/refusal.ts'
import { sourceTypes } from '#kernel/source-type.ts'
import type { Acting, DocumentRules } from '#server/engine/documents/acting.ts'

/** Receipts by hand only where the organisation allows them. */
async function needsSource(acting: Acting): Promise<void> {
  if (!acting.settings.receipt_without_order && acting.doc.source_type === sourceTypes.NONE)
    throw new Refusal('rule', '请引用采购订单或验收单')
}

export const purchaseGrnRules: DocumentRules = { kind: 'purchaseGrn', before: { submit: needsSource } }
