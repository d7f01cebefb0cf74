import type { Module } from '#kernel/module.ts'
import { hospitalRule, hospitalRuleChange } from '#modules/base/rules/hospital-rule.entity.ts'
import { markupRule } from '#modules/base/rules/markup-rule.entity.ts'
import { supplierRate, supplierRateStep } from '#modules/base/rules/supplier-rate.entity.ts'

export const rulesModule: Module = {
  entities: [hospitalRule, hospitalRuleChange, markupRule, supplierRate, supplierRateStep],
}
