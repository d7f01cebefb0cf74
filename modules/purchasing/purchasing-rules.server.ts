import { arrivalOrderRules } from '#modules/purchasing/arrival-order.server.ts'
import { enquiryRules } from '#modules/purchasing/enquiry.server.ts'
import { inspectionOrderRules } from '#modules/purchasing/inspection-order.server.ts'
import { priceRegistrationRules } from '#modules/purchasing/price-registration.server.ts'
import { purchaseOrderRules } from '#modules/purchasing/purchase-order.server.ts'
import { purchasePlanRules } from '#modules/purchasing/purchase-plan.server.ts'
import { quotationRules } from '#modules/purchasing/quotation.server.ts'
import type { DocumentRules } from '#server/engine/documents/acting.ts'

/** What the papers of purchasing ask of the database. */
export const purchasingRules: readonly DocumentRules[] = [
  purchasePlanRules,
  enquiryRules,
  quotationRules,
  priceRegistrationRules,
  purchaseOrderRules,
  arrivalOrderRules,
  inspectionOrderRules,
]
