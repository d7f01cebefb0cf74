import type { Module } from '#kernel/module.ts'
import { countPlan } from '#modules/goods/counts/count-plan.entity.ts'
import { stockTakeLine } from '#modules/goods/counts/stock-take-line.entity.ts'
import { stockTake } from '#modules/goods/counts/stock-take.doc.ts'

export const countsModule: Module = {
  documents: [stockTake],
  entities: [stockTakeLine, countPlan],
}
