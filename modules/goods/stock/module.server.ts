import type { ModuleHooks } from '#server/public/hooks.ts'
import { stockBalanceRules } from '#modules/goods/stock/balances/stock-balance.server.ts'
import { stockLocatorRules } from '#modules/goods/stock/balances/stock-locator.server.ts'
import { notifyReminders } from '#modules/goods/stock/balances/use-reminder.server.ts'
import { openingStockRules } from '#modules/goods/stock/other/opening-stock.server.ts'
import { otherGrnRules } from '#modules/goods/stock/other/other-grn.server.ts'
import { receivingColumns } from '#modules/goods/stock/receipts/expected-receipts.server.ts'
import { purchaseGrnRules } from '#modules/goods/stock/receipts/purchase-grn.server.ts'
import { shelfRecords } from '#modules/goods/stock/warehouses/shelf.server.ts'
import { warehouseRules } from '#modules/goods/stock/warehouses/warehouse.server.ts'
import { receiptPageRules } from '#modules/goods/stock/receipts/purchase-grn.page-rules.server.ts'
import { frequent } from '#server/public/jobs.ts'

export const stockHooks: ModuleHooks = {
  pageRules: [receiptPageRules],
  documents: [purchaseGrnRules, openingStockRules, otherGrnRules],
  records: [warehouseRules, stockBalanceRules, stockLocatorRules, ...shelfRecords],
  listColumns: receivingColumns,
  jobs: [frequent('send_use_reminders', '使用提醒送达', ({ app, owner }) => notifyReminders(app, owner))],
}
