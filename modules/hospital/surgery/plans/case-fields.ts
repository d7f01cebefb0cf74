import { f } from '#kernel/definition/field.ts'

/** An operation as everyone who serves it may know it: when, where, what and who operates; never on whom. */
export const surgeryTypes = { elective: '择期', emergency: '急诊' } as const
export const sides = { none: '不分侧', left: '左', right: '右', both: '双侧' } as const

/** The fields of an operation whose goods another organisation brings; they are sent to it. */
export const caseFields = {
  surgery_at: f.instant('手术日期时间'),
  surgery_type: f.pick('手术类型', surgeryTypes, { default: 'elective' }),
  theatre: f.text('手术间/台次', { max: 40 }),
  procedure_name: f.text('术式', { max: 100 }),
  site: f.text('手术部位', { max: 60 }),
  side: f.pick('左右侧', sides, { default: 'none' }),
  surgeon_name: f.text('主刀医生', { max: 40 }),
  // The hospital reads its own department.
  surgery_department: f.text('手术科室', { max: 60, orgs: 'PDV' }),
} as const
export const caseNames = [
  'surgery_at',
  'surgery_type',
  'theatre',
  'procedure_name',
  'site',
  'side',
  'surgeon_name',
  'surgery_department',
] as const

/** The patient of an operation: stored by the hospital and read by nobody else. */
export const patientFields = {
  patient_no: f.text('患者编号', { max: 40, patient: true }),
  admission_no: f.text('住院号', { max: 40, patient: true }),
  patient_name: f.text('患者姓名', { max: 40, patient: true }),
  patient_sex: f.pick('性别', { male: '男', female: '女', unknown: '未知' }, { patient: true }),
  patient_age: f.text('年龄', { max: 10, patient: true }),
  bed_no: f.text('床号', { max: 20, patient: true }),
  diagnosis: f.text('诊断', { max: 200, patient: true }),
} as const
export const patientNames = Object.keys(patientFields) as readonly (keyof typeof patientFields)[]

/** The progress of an operation on loaned goods, as its plan shows it on both sides. */
export const followStates = {
  '1': '未备货',
  '2': '已预验收',
  '3': '已送出',
  '4': '手术中',
  '5': '已登记使用',
  '6': '已退回',
  '7': '已完结',
} as const

/** The kinds of requested items: goods one by one, a kit of implants or a set of instruments. */
export const needKinds = { goods: '散件', kit: '手术套包', toolsKit: '工具包' } as const
export const needFields = {
  category: f.pick('类型', needKinds),
  specification_sn: f.ref('规格型号', 'specification'),
  unit_inner_sn: f.ref('单位', 'unitTree'),
  item_code: f.text('套包/工具编码', { max: 40 }),
  item_name: f.text('套包/工具名称', { max: 80, hint: '散件选择规格型号，套包与工具填写名称' }),
  size_range: f.text('规格范围', { max: 80 }),
  quantity: f.quantity('需求数量', { required: true, min: '0.001' }),
} as const
