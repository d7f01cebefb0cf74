import { departmentUseRules } from '#modules/ward/department-use.server.ts'
import { dispatchRules } from '#modules/ward/dispatch.server.ts'
import { grantOdoRules } from '#modules/ward/grant-odo.server.ts'
import { grantReturnRules } from '#modules/ward/grant-return.server.ts'
import { requisitionRules } from '#modules/ward/requisition.server.ts'
import { surgeryUseRules } from '#modules/ward/surgery-use.server.ts'
import { wardReceiptRules } from '#modules/ward/ward-receipt.server.ts'
import type { DocumentRules } from '#server/public/hooks.ts'

export { tellOverdue } from '#modules/ward/due.server.ts'
export { receiveByTime } from '#modules/ward/ward-receipt.server.ts'

/** What the papers of the wards ask of the database. */
export const wardPapers: readonly DocumentRules[] = [
  requisitionRules,
  dispatchRules,
  grantOdoRules,
  wardReceiptRules,
  grantReturnRules,
  departmentUseRules,
  surgeryUseRules,
]
