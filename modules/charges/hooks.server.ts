import { catalogueItemSender } from '#modules/charges/matching/publish-items.server.ts'
import {
  hisItemRules,
  hisMatchVersionRules,
  productComparisonRules,
} from '#modules/charges/matching/product-comparison.server.ts'
import type { RecordRules } from '#server/public/records.ts'
import type { HisSender } from '#server/public/outbound.ts'

export { unmatchedUseCheck } from '#modules/charges/matching/unmatched-use.server.ts'

/** The database rules of this room's records. */
export const chargeRecords: readonly RecordRules[] = [productComparisonRules, hisItemRules, hisMatchVersionRules]

/** What this room sends to the HIS. */
export const chargeSenders: readonly HisSender[] = [catalogueItemSender]
