import type { ModuleHooks } from '#server/public/hooks.ts'
import { addSignatures } from '#modules/hospital/signatures/signature-routes.server.ts'
import { dropUnused, signaturesOf } from '#modules/hospital/signatures/signature.server.ts'
import { hourly } from '#server/public/jobs.ts'

export const signaturesHooks: ModuleHooks = {
  detailFields: [signaturesOf],
  jobs: [hourly('drop_unused_signatures', '未使用签名清理', ({ owner }) => dropUnused(owner))],
  routes: [addSignatures],
}
