import type { ModuleHooks } from '#server/public/hooks.ts'
import { sendAllAuthorisations } from '#modules/trade/licensing/authorisation-sync.server.ts'
import { complianceChecks } from '#modules/trade/licensing/compliance-check.server.ts'
import { reliedLicences } from '#modules/trade/licensing/partner-licences.server.ts'
import { receiverRefusals } from '#modules/trade/licensing/receiver-refusals.server.ts'
import { hourly } from '#server/public/jobs.ts'

export const licensingHooks: ModuleHooks = {
  actionChecks: [...complianceChecks, receiverRefusals],
  detailFields: [reliedLicences],
  jobs: [hourly('send_authorisations', '授权书同步', ({ owner }) => sendAllAuthorisations(owner))],
}
