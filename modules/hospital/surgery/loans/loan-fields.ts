import { f } from '#kernel/definition/field.ts'

/** The operation that the goods of a document are for; nothing of the patient. */
export const ofCase = {
  plan_sn: f.text('跟台计划单号', { readOnly: true }),
  surgery_at: f.instant('手术日期时间', { readOnly: true }),
  procedure_name: f.text('术式', { readOnly: true }),
  surgery_department: f.text('手术科室', { readOnly: true }),
  surgeon_name: f.text('主刀医生', { readOnly: true }),
  attendant: f.text('跟台人员', { readOnly: true }),
} as const
export const ofCaseNames = Object.keys(ofCase) as readonly (keyof typeof ofCase)[]

/** The place of a piece in a kit, and whether it stays in the patient or comes back to be cleaned. */
export const inKit = {
  kit_code: f.text('套包编号', { max: 40, codeOf: 'implantKit' }),
  hole: f.text('盒/层/孔位', { max: 40 }),
  goods_kind: f.pick('产品类别', { implant: '植入物', tool: '工具' }),
} as const
