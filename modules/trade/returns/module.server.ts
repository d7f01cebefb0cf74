import type { ModuleHooks } from '#server/public/hooks.ts'
import { purchaseReturnRules } from '#modules/trade/returns/purchase-return.server.ts'
import { saleReturnRules } from '#modules/trade/returns/sale-return.server.ts'

export const returnsHooks: ModuleHooks = {
  documents: [purchaseReturnRules, saleReturnRules],
}
