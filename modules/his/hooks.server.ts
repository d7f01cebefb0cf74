import { hisFieldRules } from '#modules/his/fields/his-field.server.ts'
import { hisDepartmentRules, hisStaffChangeRules, hisStaffRules } from '#modules/his/staff/his-staff.server.ts'
import type { RecordRules } from '#server/public/records.ts'

/** The database rules of this room's records. */
export const hisRecords: readonly RecordRules[] = [
  hisStaffRules,
  hisDepartmentRules,
  hisStaffChangeRules,
  hisFieldRules,
]

export { hisFieldsOf } from '#modules/his/fields/his-field.server.ts'
