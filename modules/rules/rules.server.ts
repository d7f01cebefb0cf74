import { hospitalRuleChangeRules, hospitalRuleRules, layHouseRules } from '#modules/rules/hospital-rule.server.ts'

/** What this room asks of the database, and what stands before anybody is let in. */
export const houseRuleRecords = [hospitalRuleRules, hospitalRuleChangeRules] as const
export { layHouseRules }
