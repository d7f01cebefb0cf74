import { advanceSaleRules } from '#modules/sales/advance-sale.server.ts'
import { saleOdoRules } from '#modules/sales/sale-odo.server.ts'
import { salesOrderRules } from '#modules/sales/sales-order.server.ts'
import type { DocumentRules } from '#server/engine/documents/acting.ts'

/** What the papers of sales ask of the database. */
export const salesRules: readonly DocumentRules[] = [salesOrderRules, saleOdoRules, advanceSaleRules]
