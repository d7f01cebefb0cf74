import type { ModuleHooks } from '#server/public/hooks.ts'
import { purchaseFlowRules } from '#modules/trade/purchasing/orders/purchase-dashboard.server.ts'
import { purchaseOrderRules } from '#modules/trade/purchasing/orders/purchase-order.server.ts'
import { purchasePlanRules } from '#modules/trade/purchasing/planning/purchase-plan.server.ts'
import { applyPrices } from '#modules/trade/purchasing/prices/apply-prices.server.ts'
import { priceAdjustmentRules, priceHistoryRules } from '#modules/trade/purchasing/prices/price-adjustment.server.ts'
import { priceRegistrationRules } from '#modules/trade/purchasing/prices/price-registration.server.ts'
import { arrivalOrderRules } from '#modules/trade/purchasing/receiving/arrival-order.server.ts'
import { inspectionOrderRules } from '#modules/trade/purchasing/receiving/inspection-order.server.ts'
import {
  arrivalQualityLineRules,
  inspectionQualityLineRules,
} from '#modules/trade/purchasing/receiving/quality-line-actions.server.ts'
import { quotationColumns } from '#modules/trade/purchasing/rfq/quotation-columns.server.ts'
import { closeDue, quotationRules } from '#modules/trade/purchasing/rfq/quotation.server.ts'
import { enquiryRules } from '#modules/trade/purchasing/rfq/enquiry.server.ts'
import { purchasingPageRules } from '#modules/trade/purchasing/purchasing.page-rules.server.ts'
import { frequent, hourly } from '#server/public/jobs.ts'

export const purchasingHooks: ModuleHooks = {
  pageRules: [purchasingPageRules],
  documents: [
    purchasePlanRules,
    enquiryRules,
    quotationRules,
    priceRegistrationRules,
    priceAdjustmentRules,
    purchaseOrderRules,
    arrivalOrderRules,
    inspectionOrderRules,
  ],
  records: [priceHistoryRules, arrivalQualityLineRules, inspectionQualityLineRules],
  listColumns: quotationColumns,
  processCharts: [purchaseFlowRules],
  jobs: [
    frequent('close_enquiries', '询价截止', ({ app, owner }) => closeDue(app, owner)),
    hourly('apply_prices', '价格协议生效', ({ owner }) => applyPrices(owner)),
  ],
}
