import type { Module } from '#kernel/module.ts'
import { lotDates } from '#modules/goods/corrections/lot-dates.report.ts'
import { stockCorrection } from '#modules/goods/corrections/stock-correction.doc.ts'

export const correctionsModule: Module = {
  documents: [stockCorrection],
  reports: [lotDates],
}
