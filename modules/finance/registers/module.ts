import type { Module } from '#kernel/module.ts'
import { purchaseRecord } from '#modules/finance/registers/purchase-record.entity.ts'
import { salesRecord } from '#modules/finance/registers/sales-record.entity.ts'

export const registersModule: Module = {
  entities: [purchaseRecord, salesRecord],
}
