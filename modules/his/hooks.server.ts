import { hisGrnCheckRules, hisGrnLineRules } from '#modules/his/receipts/grn-check.server.ts'
import { hisFieldRules } from '#modules/his/fields/his-field.server.ts'
import { hisDepartmentRules, hisStaffChangeRules, hisStaffRules } from '#modules/his/staff/his-staff.server.ts'
import { hisOperationRules, hisVisitRules } from '#modules/his/visits/his-visit.server.ts'
import { hisIncomeRules, hisMessageRules } from '#modules/his/received/his-received.server.ts'
import type { RecordRules } from '#server/public/records.ts'

/** The database rules of this room's records. */
export const hisRecords: readonly RecordRules[] = [
  hisStaffRules,
  hisDepartmentRules,
  hisStaffChangeRules,
  hisFieldRules,
  hisGrnCheckRules,
  hisGrnLineRules,
  hisVisitRules,
  hisOperationRules,
  hisIncomeRules,
  hisMessageRules,
]

export { hisFieldsOf } from '#modules/his/fields/his-field.server.ts'
export { receiptPushes, receiptSenders } from '#modules/his/receipts/receipt-push.server.ts'
export { storeReceived } from '#modules/his/visits/store-visits.server.ts'
export { storeIncomes } from '#modules/his/received/store-incomes.server.ts'
