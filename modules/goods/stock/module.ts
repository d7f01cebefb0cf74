import type { Module } from '#kernel/module.ts'
import { stockBalance } from '#modules/goods/stock/balances/stock-balance.entity.ts'
import { stockLocator } from '#modules/goods/stock/balances/stock-locator.entity.ts'
import { openingStock } from '#modules/goods/stock/other/opening-stock.doc.ts'
import { otherGrn } from '#modules/goods/stock/other/other-grn.doc.ts'
import { purchaseGrn } from '#modules/goods/stock/receipts/purchase-grn.doc.ts'
import { shelf, shelfPlace } from '#modules/goods/stock/warehouses/shelf.entity.ts'
import { storeArea } from '#modules/goods/stock/warehouses/store-area.entity.ts'
import { warehouse } from '#modules/goods/stock/warehouses/warehouse.entity.ts'

export const stockModule: Module = {
  documents: [purchaseGrn, otherGrn, openingStock],
  entities: [warehouse, stockBalance, stockLocator, storeArea, shelf, shelfPlace],
}
