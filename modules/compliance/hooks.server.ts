import { openChanges } from '#modules/compliance/changed-partners.server.ts'
import { firstSellProductRules } from '#modules/compliance/first-sell-product.server.ts'
import { firstTierOrgRules } from '#modules/compliance/first-tier-org.server.ts'
import type { DocumentHooks } from '#server/public/hooks.ts'

/** What first approvals ask of the database. */
export const complianceRules: readonly DocumentHooks[] = [firstTierOrgRules, firstSellProductRules]

/** Partners that are not what was approved are looked for every hour. */
export const complianceJobs = [openChanges] as const
