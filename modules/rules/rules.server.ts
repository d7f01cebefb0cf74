import {
  hospitalRuleChangeRules,
  hospitalRuleRules,
  seedHospitalPolicies,
} from '#modules/rules/hospital-rule.server.ts'
import { markupRuleRules } from '#modules/rules/markup-rule.server.ts'
import { supplierRateRules, supplierRateStepRules } from '#modules/rules/supplier-rate.server.ts'

/** The database rules of this module, and what must exist before any user is let in. */
export const hospitalPolicyRecords = [
  hospitalRuleRules,
  hospitalRuleChangeRules,
  markupRuleRules,
  supplierRateRules,
  supplierRateStepRules,
] as const
export { seedHospitalPolicies }
