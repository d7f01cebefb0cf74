import type { Module } from '#kernel/module.ts'
import { recallDelivery, recallFeedback } from '#modules/goods/quality/recall-rows.entity.ts'
import { recall } from '#modules/goods/quality/recall.doc.ts'
import { stopSale } from '#modules/goods/quality/stop-sale.doc.ts'
import { storageCheck } from '#modules/goods/quality/storage-check.doc.ts'
import { temperatureLog } from '#modules/goods/quality/temperature-log.entity.ts'

export const qualityModule: Module = {
  documents: [stopSale, recall, storageCheck],
  entities: [recallFeedback, recallDelivery, temperatureLog],
}
