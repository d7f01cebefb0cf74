import { f } from '#kernel/definition/field.ts'

const kept = { readOnly: true, orgs: 'H', dialogOnly: true } as const

/** The operation whose implants a 骨科采购入库 books: read from its record of use, and never sent to anybody. */
export const operationFields = {
  bone_plan_sn: f.text('骨科计划单号', { ...kept }),
  use_sn: f.text('手术使用记录号', { ...kept }),
  surgery_no: f.text('手术编号', { ...kept, patient: true }),
  surgery_name: f.text('手术名称', { ...kept, patient: true }),
  operated_on: f.day('手术日期', { ...kept }),
  surgeon: f.text('主刀医生', { ...kept }),
  operated_in: f.text('手术科室', { ...kept }),
  admission_no: f.text('住院号', { ...kept, patient: true }),
  patient_name: f.text('患者姓名', { ...kept, patient: true }),
} as const
