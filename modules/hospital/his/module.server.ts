import type { ModuleHooks } from '#server/public/hooks.ts'
import { addBedside } from '#modules/hospital/his/bedside/bedside-routes.server.ts'
import { hisFieldRules, hisFieldsOf } from '#modules/hospital/his/fields/his-field.server.ts'
import { hisGrnCheckRules, hisGrnLineRules } from '#modules/hospital/his/receipts/grn-check.server.ts'
import { pushColumns, receiptPushes, receiptSenders } from '#modules/hospital/his/receipts/receipt-push.server.ts'
import { hisIncomeRules, hisMessageRules } from '#modules/hospital/his/received/his-received.server.ts'
import { storeIncomes } from '#modules/hospital/his/received/store-incomes.server.ts'
import { hisDepartmentRules, hisStaffChangeRules, hisStaffRules } from '#modules/hospital/his/staff/his-staff.server.ts'
import { hisOperationRules, hisVisitRules } from '#modules/hospital/his/visits/his-visit.server.ts'
import { hisPageRules } from '#modules/hospital/his/his.page-rules.server.ts'
import { storeReceived } from '#modules/hospital/his/visits/store-visits.server.ts'

export const hisHooks: ModuleHooks = {
  pageRules: [hisPageRules],
  records: [
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
  ],
  effects: [receiptPushes],
  listColumns: pushColumns,
  routes: [addBedside],
  hisSenders: receiptSenders,
  hisReceived: [storeReceived, storeIncomes],
  hisFields: hisFieldsOf,
}
