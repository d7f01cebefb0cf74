import type { ModuleHooks } from '#server/public/hooks.ts'
import { hospitalPolicyRecords, seedHospitalPolicies } from '#modules/base/rules/rules.server.ts'

export const rulesHooks: ModuleHooks = {
  records: hospitalPolicyRecords,
  startupSeeds: [seedHospitalPolicies],
}
