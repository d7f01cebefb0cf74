import type { ModuleHooks } from '#server/public/hooks.ts'
import { periodPageRules } from '#modules/finance/periods/periods.page-rules.server.ts'
import { accountingPeriodRules } from '#modules/finance/periods/accounting-period.server.ts'

export const periodsHooks: ModuleHooks = {
  pageRules: [periodPageRules],
  records: [accountingPeriodRules],
}
