import type { ModuleHooks } from '#server/public/hooks.ts'
import { useChargeSender, useRefundSender } from '#modules/hospital/charges/checking/charge-requests.server.ts'
import { chargedReturnCheck } from '#modules/hospital/charges/checking/charged-return.server.ts'
import { matchJob } from '#modules/hospital/charges/checking/match-job.server.ts'
import { useCharges } from '#modules/hospital/charges/checking/raise-checks.server.ts'
import { storeReceivedCharges } from '#modules/hospital/charges/checking/received-charges.server.ts'
import { useCheckRules } from '#modules/hospital/charges/checking/use-check.server.ts'
import { addCounterparts } from '#modules/hospital/charges/fees/counterpart-routes.server.ts'
import { fetchJobs, hisChargeDayRules } from '#modules/hospital/charges/fees/fetch-charges.server.ts'
import { hisSpdFeeDetailRules } from '#modules/hospital/charges/fees/his-spd-fee-detail.server.ts'
import {
  hisItemRules,
  hisMatchVersionRules,
  productComparisonRules,
} from '#modules/hospital/charges/matching/product-comparison.server.ts'
import { catalogueItemSender } from '#modules/hospital/charges/matching/publish-items.server.ts'
import { unmatchedUseCheck } from '#modules/hospital/charges/matching/unmatched-use.server.ts'
import { chargePageRules } from '#modules/hospital/charges/charges.page-rules.server.ts'
import { chargeMonthRules } from '#modules/hospital/charges/verification/charge-month.server.ts'

export const chargesHooks: ModuleHooks = {
  pageRules: [chargePageRules],
  records: [
    productComparisonRules,
    hisItemRules,
    hisMatchVersionRules,
    useCheckRules,
    hisChargeDayRules,
    hisSpdFeeDetailRules,
    chargeMonthRules,
  ],
  actionChecks: [unmatchedUseCheck, chargedReturnCheck],
  effects: [useCharges],
  jobs: [matchJob, ...fetchJobs],
  routes: [addCounterparts],
  hisSenders: [catalogueItemSender, useChargeSender, useRefundSender],
  hisReceived: [storeReceivedCharges],
}
