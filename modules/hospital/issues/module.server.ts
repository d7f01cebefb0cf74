import type { ModuleHooks } from '#server/public/hooks.ts'
import { issuePageRules } from '#modules/hospital/issues/issues.page-rules.server.ts'
import { giveOdoRules, otherOdoRules } from '#modules/hospital/issues/issues.server.ts'

export const issuesHooks: ModuleHooks = {
  pageRules: [issuePageRules],
  documents: [otherOdoRules, giveOdoRules],
}
