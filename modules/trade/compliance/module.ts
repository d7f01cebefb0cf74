import type { Module } from '#kernel/module.ts'
import { firstSellProduct } from '#modules/trade/compliance/first-sell-product.doc.ts'
import { firstTierOrg } from '#modules/trade/compliance/first-tier-org.doc.ts'

export const complianceModule: Module = {
  documents: [firstTierOrg, firstSellProduct],
}
