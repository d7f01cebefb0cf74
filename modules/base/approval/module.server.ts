import type { ModuleHooks } from '#server/public/hooks.ts'
import { auditLevelRules, auditSettingRules } from '#modules/base/approval/audit.server.ts'
import { remindApprovers } from '#modules/base/approval/remind.server.ts'
import { hourly } from '#server/public/jobs.ts'

export const approvalHooks: ModuleHooks = {
  records: [auditSettingRules, auditLevelRules],
  jobs: [hourly('remind_approvers', '超时审批提醒', ({ owner }) => remindApprovers(owner))],
}
