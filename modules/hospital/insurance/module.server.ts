import type { ModuleHooks } from '#server/public/hooks.ts'
import { insuranceCodeRules } from '#modules/hospital/insurance/insurance-code.server.ts'
import { proposeCodes } from '#modules/hospital/insurance/proposed-codes.server.ts'
import { frequent } from '#server/public/jobs.ts'

export const insuranceHooks: ModuleHooks = {
  records: [insuranceCodeRules],
  jobs: [frequent('propose_insurance_codes', '医保编码推送', ({ app, owner }) => proposeCodes(app, owner))],
}
