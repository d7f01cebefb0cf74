import { useChargeSender, useRefundSender } from '#modules/charges/checking/charge-requests.server.ts'
import { catalogueItemSender } from '#modules/charges/matching/publish-items.server.ts'
import {
  hisItemRules,
  hisMatchVersionRules,
  productComparisonRules,
} from '#modules/charges/matching/product-comparison.server.ts'
import { matchJob } from '#modules/charges/checking/match-job.server.ts'
import { useCheckRules } from '#modules/charges/checking/use-check.server.ts'
import { fetchJobs, hisChargeDayRules } from '#modules/charges/fees/fetch-charges.server.ts'
import { hisSpdFeeDetailRules } from '#modules/charges/fees/his-spd-fee-detail.server.ts'
import { chargeMonthRules } from '#modules/charges/verification/charge-month.server.ts'
import type { BackgroundJob } from '#server/public/jobs.ts'
import type { RecordRules } from '#server/public/records.ts'
import type { HisSender } from '#server/public/outbound.ts'

export { storeReceivedCharges } from '#modules/charges/checking/received-charges.server.ts'
export { useCharges } from '#modules/charges/checking/raise-checks.server.ts'
export { chargedReturnCheck } from '#modules/charges/checking/charged-return.server.ts'
export { unmatchedUseCheck } from '#modules/charges/matching/unmatched-use.server.ts'

/** The database rules of this room's records. */
export const chargeRecords: readonly RecordRules[] = [
  productComparisonRules,
  hisItemRules,
  hisMatchVersionRules,
  useCheckRules,
  hisChargeDayRules,
  hisSpdFeeDetailRules,
  chargeMonthRules,
]

/** The requests that this room sends to the HIS. */
export const chargeSenders: readonly HisSender[] = [catalogueItemSender, useChargeSender, useRefundSender]

/** This room's work in the background. */
export const chargeJobs: readonly BackgroundJob[] = [matchJob, ...fetchJobs]
