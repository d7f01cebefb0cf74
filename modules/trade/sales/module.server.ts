import type { ModuleHooks } from '#server/public/hooks.ts'
import { advanceColumns } from '#modules/trade/sales/advance-columns.server.ts'
import { advanceLineRules } from '#modules/trade/sales/advance-line.server.ts'
import { refuseUsed } from '#modules/trade/sales/advance-sale-lines.server.ts'
import { advanceSaleRules } from '#modules/trade/sales/advance-sale.server.ts'
import { saleOdoRules } from '#modules/trade/sales/sale-odo.server.ts'
import { salesFlowRules } from '#modules/trade/sales/sales-flow.server.ts'
import { salesPageRules } from '#modules/trade/sales/sales.page-rules.server.ts'
import { salesOrderRules } from '#modules/trade/sales/sales-order.server.ts'

export const salesHooks: ModuleHooks = {
  pageRules: [salesPageRules],
  documents: [
    salesOrderRules,
    saleOdoRules,
    advanceSaleRules,
    { kind: 'advanceReturn', validate: { submit: refuseUsed, review: refuseUsed } },
  ],
  records: [advanceLineRules],
  listColumns: advanceColumns,
  processCharts: [salesFlowRules],
}
