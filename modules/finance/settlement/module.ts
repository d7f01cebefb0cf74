import type { Module } from '#kernel/module.ts'
import { settlementGrn } from '#modules/finance/settlement/settlement-grn.doc.ts'
import { settlementLine } from '#modules/finance/settlement/settlement-line.entity.ts'
import { settlementStatistics } from '#modules/finance/settlement/settlement-statistics.report.ts'
import { settlement } from '#modules/finance/settlement/settlement.doc.ts'

export const settlementModule: Module = {
  documents: [settlement, settlementGrn],
  entities: [settlementLine],
  reports: [settlementStatistics],
}
