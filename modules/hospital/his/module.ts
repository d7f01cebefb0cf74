import type { Module } from '#kernel/module.ts'
import { hisField } from '#modules/hospital/his/fields/his-field.entity.ts'
import { hisGrnCheck, hisGrnLine } from '#modules/hospital/his/receipts/grn-check.entity.ts'
import { hisGrnSummary } from '#modules/hospital/his/receipts/his-grn-summary.report.ts'
import { hisIncome, hisMessage } from '#modules/hospital/his/received/his-received.entity.ts'
import { hisDepartment, hisStaff, hisStaffChange } from '#modules/hospital/his/staff/his-staff.entity.ts'
import { hisOperation, hisVisit } from '#modules/hospital/his/visits/his-visit.entity.ts'

export const hisModule: Module = {
  entities: [
    hisStaff,
    hisDepartment,
    hisStaffChange,
    hisField,
    hisGrnCheck,
    hisGrnLine,
    hisVisit,
    hisOperation,
    hisMessage,
    hisIncome,
  ],
  reports: [hisGrnSummary],
}
