import type { RecordCall } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

/** The call that reads people and departments of the HIS, under the name that a page gives it. */
export const syncCall = (label: string): RecordCall => ({
  label,
  asks: { whole: f.flag('全部重取', { default: false, hint: '不勾选时只取上次同步以后有变化的人员和科室' }) },
  orgs: 'H',
})
