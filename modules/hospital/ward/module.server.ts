import type { ModuleHooks } from '#server/public/hooks.ts'
import { addImplantCards } from '#modules/hospital/ward/implants/implant-card-routes.server.ts'
import { implantColumns } from '#modules/hospital/ward/implants/implant-columns.server.ts'
import { implantFormOverviewRules } from '#modules/hospital/ward/implants/implant-form-overview.server.ts'
import { patientImplantFormRules } from '#modules/hospital/ward/implants/patient-implant-form.server.ts'
import { grantOdoRules } from '#modules/hospital/ward/issuing/grant-odo.server.ts'
import { pickingColumns } from '#modules/hospital/ward/issuing/picking-columns.server.ts'
import { dispatchRules } from '#modules/hospital/ward/issuing/dispatch.server.ts'
import { departmentQuotaRules } from '#modules/hospital/ward/quota/department-quota.server.ts'
import { grantReturnRules } from '#modules/hospital/ward/receiving/grant-return.server.ts'
import { receiveByTime, wardReceiptRules } from '#modules/hospital/ward/receiving/ward-receipt.server.ts'
import { commonProductRecords } from '#modules/hospital/ward/requisition/common-product.server.ts'
import { notifyOverdue } from '#modules/hospital/ward/requisition/requisition-deadline.server.ts'
import { requisitionRules } from '#modules/hospital/ward/requisition/requisition.server.ts'
import { departmentInventoryRules } from '#modules/hospital/ward/stock/department-inventory.server.ts'
import { departmentUseRules } from '#modules/hospital/ward/usage/department-use.server.ts'
import { surgeryUseRules } from '#modules/hospital/ward/usage/surgery-use.server.ts'
import { usageRecipients } from '#modules/hospital/ward/usage/usage-recipients.server.ts'
import { wardPageRules } from '#modules/hospital/ward/ward.page-rules.server.ts'
import { frequent, hourly } from '#server/public/jobs.ts'

export const wardHooks: ModuleHooks = {
  pageRules: [wardPageRules],
  documents: [
    requisitionRules,
    dispatchRules,
    grantOdoRules,
    wardReceiptRules,
    grantReturnRules,
    departmentUseRules,
    surgeryUseRules,
    patientImplantFormRules,
  ],
  records: [departmentInventoryRules, departmentQuotaRules, implantFormOverviewRules, ...commonProductRecords],
  listColumns: { ...implantColumns, ...pickingColumns },
  reportRecipients: usageRecipients,
  jobs: [
    frequent('notify_overdue', '申领发放超时提醒', ({ app, owner }) => notifyOverdue(app, owner)),
    hourly('receive_dispatches', '发放超时自动收货', ({ owner }) => receiveByTime(owner)),
  ],
  routes: [addImplantCards],
}
