import type { ModuleHooks } from '#server/public/hooks.ts'
import { exportTaskRules } from '#modules/platform/reports/centre/export-task.server.ts'
import { reportSchemeRules } from '#modules/platform/reports/centre/report-scheme.server.ts'
import { purchaseOrderWarningRules } from '#modules/platform/reports/orders/purchase-order-warning.server.ts'
import {
  highValuePatientsRules,
  patientFollowUpRules,
} from '#modules/platform/reports/patients/patient-follow-up.server.ts'
import { restockAbnormalRules } from '#modules/platform/reports/restock/restock-abnormal.server.ts'
import {
  addPartnerStatements,
  settlementSummaryRules,
} from '#modules/platform/reports/settlements/partner-statement.server.ts'
import { centralInventoryRules } from '#modules/platform/reports/stock/central-inventory.server.ts'
import { supplierServiceScoreRules } from '#modules/platform/reports/suppliers/supplier-service-score.server.ts'
import { usagePlanningRules } from '#modules/platform/reports/use/usage-planning.server.ts'

export const reportsHooks: ModuleHooks = {
  records: [reportSchemeRules, patientFollowUpRules, supplierServiceScoreRules, exportTaskRules],
  reports: [
    restockAbnormalRules,
    usagePlanningRules,
    settlementSummaryRules,
    purchaseOrderWarningRules,
    centralInventoryRules,
    highValuePatientsRules,
  ],
  routes: [addPartnerStatements],
}
