import { arrivalOrderRules } from '#modules/purchasing/arrival-order.server.ts'
import { enquiryRules } from '#modules/purchasing/enquiry.server.ts'
import { inspectionOrderRules } from '#modules/purchasing/inspection-order.server.ts'
import { priceAdjustmentRules, priceHistoryRules } from '#modules/purchasing/price-adjustment.server.ts'
import { priceRegistrationRules } from '#modules/purchasing/price-registration.server.ts'
import { applyPrices } from '#modules/purchasing/price-writing.server.ts'
import { purchaseOrderRules } from '#modules/purchasing/purchase-order.server.ts'
import { purchasePlanRules } from '#modules/purchasing/purchase-plan.server.ts'
import { arrivalQualityLineRules, inspectionQualityLineRules } from '#modules/purchasing/quality-rows.server.ts'
import { quotationRules } from '#modules/purchasing/quotation.server.ts'
import type { DocumentRules } from '#server/public/hooks.ts'

/** What the papers of purchasing ask of the database. */
export const purchasingRules: readonly DocumentRules[] = [
  purchasePlanRules,
  enquiryRules,
  quotationRules,
  priceRegistrationRules,
  priceAdjustmentRules,
  purchaseOrderRules,
  arrivalOrderRules,
  inspectionOrderRules,
]

/** Prices whose day has come are looked for every hour. */
export const purchasingJobs = [applyPrices] as const

/** What the records of purchasing ask of the database. */
export const purchasingRecords = [priceHistoryRules, arrivalQualityLineRules, inspectionQualityLineRules] as const
