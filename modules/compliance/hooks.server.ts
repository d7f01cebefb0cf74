import { type BackgroundJob, hourly } from '#server/public/jobs.ts'
import { openChanges } from '#modules/compliance/changed-partners.server.ts'
import { firstSellProductRules } from '#modules/compliance/first-sell-product.server.ts'
import { firstTierOrgRules } from '#modules/compliance/first-tier-org.server.ts'
import type { DocumentHooks } from '#server/public/hooks.ts'

/** The database rules of first approvals. */
export const complianceRules: readonly DocumentHooks[] = [firstTierOrgRules, firstSellProductRules]

/** Every hour: looks for partners whose data differs from the approved data. */
export const complianceJobs: readonly BackgroundJob[] = [
  hourly('open_changes', '首营资料变更审批', ({ owner }) => openChanges(owner)),
]
