import type { ModuleHooks } from '#server/public/hooks.ts'
import { accountingPeriodRules } from '#modules/finance/periods/accounting-period.server.ts'

export const periodsHooks: ModuleHooks = {
  records: [accountingPeriodRules],
}
