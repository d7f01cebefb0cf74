import { kitRecords } from '#modules/surgery/kits/implant-kit.server.ts'
import { kitLoadingHooks } from '#modules/surgery/kits/kit-loading.server.ts'
import { pathRecords } from '#modules/surgery/paths/operation-path.server.ts'
import { keepLateLoans } from '#modules/surgery/bookings/real-times.server.ts'
import { deliverPushes, publishedTemplateRules } from '#modules/packs/kits/published-templates.server.ts'
import { boneBackRules } from '#modules/surgery/loans/bone-back.server.ts'
import { bonePreAcceptanceRules } from '#modules/surgery/loans/bone-pre-acceptance.server.ts'
import { bonePresaleRules } from '#modules/surgery/loans/bone-presale.server.ts'
import { boneSaleRules } from '#modules/surgery/loans/bone-sale.server.ts'
import { bonePlanRules } from '#modules/surgery/plans/bone-plan.server.ts'
import { surgeryPlanRules } from '#modules/surgery/plans/surgery-plan.server.ts'
import { toolRecords } from '#modules/surgery/tools/surgical-tool.server.ts'
import { toolsKitRecords } from '#modules/surgery/tools/tools-kit.server.ts'
import type { DocumentHooks } from '#server/public/hooks.ts'
import { type BackgroundJob, hourly } from '#server/public/jobs.ts'
import type { RecordRules } from '#server/public/records.ts'

export { kitGoodsCheck } from '#modules/surgery/kits/kept-in-kits.server.ts'
export { markLateCounts } from '#modules/surgery/plans/late-count.server.ts'
export { planReceived } from '#modules/surgery/plans/his-plans.server.ts'

/** The server rules of this room's records. */
export const surgeryRecords: readonly RecordRules[] = [
  ...kitRecords,
  ...toolRecords,
  ...toolsKitRecords,
  ...pathRecords,
  publishedTemplateRules,
]
/** The same for its documents. */
export const surgeryDocuments: readonly DocumentHooks[] = [
  surgeryPlanRules,
  bonePlanRules,
  bonePresaleRules,
  bonePreAcceptanceRules,
  boneSaleRules,
  boneBackRules,
  kitLoadingHooks,
]
/** The background jobs of this room. */
export const surgeryJobs: readonly BackgroundJob[] = [
  hourly('keep_late_loans', '跟台借出超期', ({ app, owner }) => keepLateLoans(app, owner)),
  hourly('deliver_templates', '平台模板下发', ({ app, owner }) => deliverPushes(app, owner)),
]
