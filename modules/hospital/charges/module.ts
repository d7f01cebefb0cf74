import type { Module } from '#kernel/module.ts'
import { useCheck } from '#modules/hospital/charges/checking/use-check.entity.ts'
import { hisChargeDay } from '#modules/hospital/charges/fees/his-charge-day.entity.ts'
import { hisSpdFeeDetail } from '#modules/hospital/charges/fees/his-spd-fee-detail.entity.ts'
import { hisSpdFee } from '#modules/hospital/charges/fees/his-spd-fee.report.ts'
import { hisItem } from '#modules/hospital/charges/matching/his-item.entity.ts'
import { hisMatchVersion } from '#modules/hospital/charges/matching/his-match-version.entity.ts'
import { productComparison } from '#modules/hospital/charges/matching/product-comparison.entity.ts'
import { chargeMonth } from '#modules/hospital/charges/verification/charge-month.entity.ts'
import { hisVerification } from '#modules/hospital/charges/verification/his-verification.report.ts'

export const chargesModule: Module = {
  entities: [productComparison, hisMatchVersion, hisItem, useCheck, hisChargeDay, hisSpdFeeDetail, chargeMonth],
  reports: [hisSpdFee, hisVerification],
}
