import type { ModuleHooks } from '#server/public/hooks.ts'
import { lotDatesRules } from '#modules/goods/corrections/lot-dates.server.ts'
import { stockCorrectionRules } from '#modules/goods/corrections/stock-correction.server.ts'

export const correctionsHooks: ModuleHooks = {
  documents: [stockCorrectionRules],
  reports: [lotDatesRules],
}
