import { withRedNeed } from '#modules/returns/red-need.server.ts'
import type { DocumentRules } from '#server/engine/documents/acting.ts'

export const purchaseReturnRules: DocumentRules = {
  kind: 'purchaseReturn',
  prepare: { review: acting => withRedNeed(acting, 'purchaseGrn', 'inboundInvoice') },
}
