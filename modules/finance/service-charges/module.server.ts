import type { ModuleHooks } from '#server/public/hooks.ts'
import { paymentSlips } from '#modules/finance/service-charges/payment-slips.server.ts'
import { confirmChargesByTime, serviceChargeRules } from '#modules/finance/service-charges/service-charge.server.ts'
import { hourly } from '#server/public/jobs.ts'

export const serviceChargesHooks: ModuleHooks = {
  documents: serviceChargeRules,
  detailColumns: paymentSlips,
  jobs: [hourly('confirm_charges', '服务费单超时自动确认', ({ owner }) => confirmChargesByTime(owner))],
}
