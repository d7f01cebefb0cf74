import type { Module } from '#kernel/module.ts'
import { contractReceipts, contracts } from '#modules/trade/purchasing/contracts/contracts.report.ts'
import { purchaseFlowScreen } from '#modules/trade/purchasing/orders/purchase-dashboard.ts'
import { purchaseOrder } from '#modules/trade/purchasing/orders/purchase-order.doc.ts'
import { purchasePlan } from '#modules/trade/purchasing/planning/purchase-plan.doc.ts'
import { agreedPrice } from '#modules/trade/purchasing/prices/agreed-price.entity.ts'
import { priceAdjustment } from '#modules/trade/purchasing/prices/price-adjustment.doc.ts'
import { priceRegistration } from '#modules/trade/purchasing/prices/price-registration.doc.ts'
import { priceHistory } from '#modules/trade/purchasing/prices/price-history.entity.ts'
import { arrivalQualityLine } from '#modules/trade/purchasing/receiving/arrival-quality-line.entity.ts'
import { arrivalOrder } from '#modules/trade/purchasing/receiving/arrival-order.doc.ts'
import { inspectionQualityLine } from '#modules/trade/purchasing/receiving/inspection-quality-line.entity.ts'
import { inspectionOrder } from '#modules/trade/purchasing/receiving/inspection-order.doc.ts'
import { quotation } from '#modules/trade/purchasing/rfq/quotation.doc.ts'
import { enquiry } from '#modules/trade/purchasing/rfq/enquiry.doc.ts'

export const purchasingModule: Module = {
  documents: [
    purchasePlan,
    enquiry,
    quotation,
    priceRegistration,
    priceAdjustment,
    purchaseOrder,
    arrivalOrder,
    inspectionOrder,
  ],
  entities: [arrivalQualityLine, inspectionQualityLine, priceHistory, agreedPrice],
  reports: [contracts, contractReceipts],
  tools: [purchaseFlowScreen],
}
