import {
  hospitalRuleChangeRules,
  hospitalRuleRules,
  seedHospitalPolicies,
} from '#modules/base/rules/hospital-rule.server.ts'
import { markupRuleRules } from '#modules/base/rules/markup-rule.server.ts'
import { supplierRateRules, supplierRateStepRules } from '#modules/base/rules/supplier-rate.server.ts'

/** The database rules of this module, and what must exist before any user is let in. */
export const hospitalPolicyRecords = [
  hospitalRuleRules,
  hospitalRuleChangeRules,
  markupRuleRules,
  supplierRateRules,
  supplierRateStepRules,
] as const
export { seedHospitalPolicies }
