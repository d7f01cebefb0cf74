import {
  hospitalRuleChangeRules,
  hospitalRuleRules,
  seedHospitalPolicies,
} from '#modules/rules/hospital-rule.server.ts'
import { markupRuleRules } from '#modules/rules/markup-rule.server.ts'
import { supplierRateRules, supplierRateStepRules } from '#modules/rules/supplier-rate.server.ts'

/** What this room asks of the database, and what stands before anybody is let in. */
export const hospitalPolicyRecords = [
  hospitalRuleRules,
  hospitalRuleChangeRules,
  markupRuleRules,
  supplierRateRules,
  supplierRateStepRules,
] as const
export { seedHospitalPolicies }
