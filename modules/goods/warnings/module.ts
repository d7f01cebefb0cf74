import type { Module } from '#kernel/module.ts'
import { warehouseProduct } from '#modules/goods/warnings/warehouse-product.entity.ts'
import { warningDuty, warningSummary, warningTrend } from '#modules/goods/warnings/warning-figures.report.ts'
import { warningSetting } from '#modules/goods/warnings/warning-setting.entity.ts'
import { warning } from '#modules/goods/warnings/warning.entity.ts'

export const warningsModule: Module = {
  entities: [warehouseProduct, warning, warningSetting],
  reports: [warningSummary, warningTrend, warningDuty],
}
