import { type BackgroundJob, hourly } from '#server/public/jobs.ts'
import { arrivalOrderRules } from '#modules/purchasing/receiving/goods-arrival.server.ts'
import { enquiryRules } from '#modules/purchasing/rfq/request-for-quotation.server.ts'
import { inspectionOrderRules } from '#modules/purchasing/receiving/quality-inspection.server.ts'
import { priceAdjustmentRules, priceHistoryRules } from '#modules/purchasing/prices/price-adjustment.server.ts'
import { priceRegistrationRules } from '#modules/purchasing/prices/price-agreement.server.ts'
import { applyPrices } from '#modules/purchasing/prices/apply-prices.server.ts'
import { purchaseOrderRules } from '#modules/purchasing/orders/purchase-order.server.ts'
import { purchasePlanRules } from '#modules/purchasing/planning/purchase-plan.server.ts'
import {
  arrivalQualityLineRules,
  inspectionQualityLineRules,
} from '#modules/purchasing/receiving/quality-line-actions.server.ts'
import { quotationRules } from '#modules/purchasing/rfq/quotation.server.ts'
import type { DocumentHooks } from '#server/public/hooks.ts'

/** The database rules of the purchasing documents. */
export const purchasingRules: readonly DocumentHooks[] = [
  purchasePlanRules,
  enquiryRules,
  quotationRules,
  priceRegistrationRules,
  priceAdjustmentRules,
  purchaseOrderRules,
  arrivalOrderRules,
  inspectionOrderRules,
]

/** Every hour: applies prices whose effective date has come. */
export const purchasingJobs: readonly BackgroundJob[] = [
  hourly('apply_prices', '价格协议生效', ({ owner }) => applyPrices(owner)),
]

/** The database rules of the purchasing records. */
export const purchasingRecords = [priceHistoryRules, arrivalQualityLineRules, inspectionQualityLineRules] as const
