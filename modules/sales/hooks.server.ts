import { advanceLineRules } from '#modules/sales/advance-line.server.ts'
import { refuseUsed } from '#modules/sales/advance-sale-lines.server.ts'
import { advanceSaleRules } from '#modules/sales/advance-sale.server.ts'
import { saleOdoRules } from '#modules/sales/sale-odo.server.ts'
import { salesOrderRules } from '#modules/sales/sales-order.server.ts'
import type { DocumentHooks } from '#server/public/hooks.ts'
import type { RecordRules } from '#server/public/records.ts'

/** The database rules of the sales documents. */
export const salesRules: readonly DocumentHooks[] = [
  salesOrderRules,
  saleOdoRules,
  advanceSaleRules,
  { kind: 'advanceReturn', validate: { submit: refuseUsed, review: refuseUsed } },
]

/** The database rules of the sales records. */
export const salesRecords: readonly RecordRules[] = [advanceLineRules]
