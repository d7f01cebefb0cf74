import type { Module } from '#kernel/module.ts'
import { accountingPeriod } from '#modules/finance/periods/accounting-period.entity.ts'

export const periodsModule: Module = {
  entities: [accountingPeriod],
}
