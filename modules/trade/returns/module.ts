import type { Module } from '#kernel/module.ts'
import { purchaseReturn } from '#modules/trade/returns/purchase-return.doc.ts'
import { saleReturn } from '#modules/trade/returns/sale-return.doc.ts'

export const returnsModule: Module = {
  documents: [purchaseReturn, saleReturn],
}
