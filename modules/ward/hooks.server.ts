import { departmentUseRules } from '#modules/ward/usage/department-use.server.ts'
import { dispatchRules } from '#modules/ward/issuing/picking-list.server.ts'
import { grantOdoRules } from '#modules/ward/issuing/department-issue.server.ts'
import { grantReturnRules } from '#modules/ward/receiving/department-return.server.ts'
import { requisitionRules } from '#modules/ward/requisition/requisition.server.ts'
import { patientImplantFormRules } from '#modules/ward/implants/implant-form.server.ts'
import { surgeryUseRules } from '#modules/ward/usage/surgery-use.server.ts'
import { wardReceiptRules } from '#modules/ward/receiving/ward-receipt.server.ts'
import type { DocumentHooks } from '#server/public/hooks.ts'

export { notifyOverdue } from '#modules/ward/requisition/requisition-deadline.server.ts'
export { receiveByTime } from '#modules/ward/receiving/ward-receipt.server.ts'

/** The database rules of the ward documents. */
export const wardDocuments: readonly DocumentHooks[] = [
  requisitionRules,
  dispatchRules,
  grantOdoRules,
  wardReceiptRules,
  grantReturnRules,
  departmentUseRules,
  surgeryUseRules,
  patientImplantFormRules,
]
