import type { ModuleHooks } from '#server/public/hooks.ts'
import { approvalColumns } from '#modules/trade/compliance/approval-columns.server.ts'
import { openChanges } from '#modules/trade/compliance/changed-partners.server.ts'
import { firstSellProductRules } from '#modules/trade/compliance/first-sell-product.server.ts'
import { firstTierOrgRules } from '#modules/trade/compliance/first-tier-org.server.ts'
import { hourly } from '#server/public/jobs.ts'

export const complianceHooks: ModuleHooks = {
  documents: [firstTierOrgRules, firstSellProductRules],
  listColumns: approvalColumns,
  jobs: [hourly('open_changes', '首营资料变更审批', ({ owner }) => openChanges(owner))],
}
