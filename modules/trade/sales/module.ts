import type { Module } from '#kernel/module.ts'
import { advanceBalance } from '#modules/trade/sales/advance-balance.report.ts'
import { advanceLine } from '#modules/trade/sales/advance-line.entity.ts'
import { advanceReturn } from '#modules/trade/sales/advance-return.doc.ts'
import { advanceSale } from '#modules/trade/sales/advance-sale.doc.ts'
import { saleOdo } from '#modules/trade/sales/sale-odo.doc.ts'
import { salesFlowScreen } from '#modules/trade/sales/sales-flow.ts'
import { salesOrder } from '#modules/trade/sales/sales-order.doc.ts'

export const salesModule: Module = {
  documents: [salesOrder, advanceSale, advanceReturn, saleOdo],
  entities: [advanceLine],
  reports: [advanceBalance],
  tools: [salesFlowScreen],
}
