import type { ModuleHooks } from '#server/public/hooks.ts'
import { giveOdoRules, otherOdoRules } from '#modules/hospital/issues/issues.server.ts'

export const issuesHooks: ModuleHooks = {
  documents: [otherOdoRules, giveOdoRules],
}
