import type { ModuleHooks } from '#server/public/hooks.ts'
import { keepLateLoans } from '#modules/hospital/surgery/bookings/real-times.server.ts'
import { kitRecords } from '#modules/hospital/surgery/kits/implant-kit.server.ts'
import { kitGoodsCheck } from '#modules/hospital/surgery/kits/kept-in-kits.server.ts'
import { kitLoadingHooks } from '#modules/hospital/surgery/kits/kit-loading.server.ts'
import { boneBackRules } from '#modules/hospital/surgery/loans/bone-back.server.ts'
import { bonePreAcceptanceRules } from '#modules/hospital/surgery/loans/bone-pre-acceptance.server.ts'
import { bonePresaleRules } from '#modules/hospital/surgery/loans/bone-presale.server.ts'
import { boneSaleRules } from '#modules/hospital/surgery/loans/bone-sale.server.ts'
import { surgeryColumns } from '#modules/hospital/surgery/loans/loan-columns.server.ts'
import { boneFlowRules } from '#modules/hospital/surgery/navigation/bone-flow.server.ts'
import { pathRecords } from '#modules/hospital/surgery/paths/operation-path.server.ts'
import { bonePlanRules } from '#modules/hospital/surgery/plans/bone-plan.server.ts'
import { planReceived } from '#modules/hospital/surgery/plans/his-plans.server.ts'
import { markLateCounts } from '#modules/hospital/surgery/plans/late-count.server.ts'
import { surgeryPlanRules } from '#modules/hospital/surgery/plans/surgery-plan.server.ts'
import { toolRecords } from '#modules/hospital/surgery/tools/surgical-tool.server.ts'
import { toolsKitRecords } from '#modules/hospital/surgery/tools/tools-kit.server.ts'
import { hourly } from '#server/public/jobs.ts'

export const surgeryHooks: ModuleHooks = {
  documents: [
    surgeryPlanRules,
    bonePlanRules,
    bonePresaleRules,
    bonePreAcceptanceRules,
    boneSaleRules,
    boneBackRules,
    kitLoadingHooks,
  ],
  records: [...kitRecords, ...toolRecords, ...toolsKitRecords, ...pathRecords],
  finalChecks: [kitGoodsCheck],
  listColumns: surgeryColumns,
  processCharts: [boneFlowRules],
  jobs: [
    hourly('mark_late_counts', '急诊跟台补验超时', ({ app, owner }) => markLateCounts(app, owner)),
    hourly('keep_late_loans', '跟台借出超期', ({ app, owner }) => keepLateLoans(app, owner)),
  ],
  hisReceived: [planReceived],
}
