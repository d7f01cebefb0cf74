import { regimes } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { narrowing, ofFinanceClass, period } from '#modules/platform/reports/item-columns.ts'

/** The purposes of uses; an operation is a document of its own. */
export const useTypes = {
  patient: '患者使用',
  surgery: '手术使用',
  consume: '科室消耗',
  cabinet: '智能柜取用',
  weighing: '称重消耗',
  pack_open: '定数包消耗',
  reagent: '试剂上机',
} as const
/** Goods by value: a reagent is one whatever it costs; whatever is not of high value is of low. */
export const valueClasses = { high: '高值', low: '低值', reagent: '试剂' } as const
export const settledStages = { none: '无需结算', waiting: '待结算', settling: '结算中', settled: '已结算' } as const
export const chargeStates = {
  none: '无需计费',
  waiting: '待计费',
  checked: '已计费',
  missed: '漏计费',
  over: '多计费',
  waived: '免计费',
} as const

export const visitTypes = { inpatient: '住院', outpatient: '门诊' } as const

/** The filters that only reports of patients offer. */
export const patientFilters = {
  patient_no: f.patient('住院号/门诊号', { orgs: 'H' }),
  patient_name: f.patient('患者姓名', { orgs: 'H' }),
} as const
/** Filters for uses of any patient or none. */
export const anyPatient = { patient_no: null, patient_name: null, has_patient: null } as const

/** The filters of every report of uses. Departments, doctors and operations are the hospital's. */
export const useFilters = {
  ...period,
  counterparty_sn: f.ref('医院', 'organisation', { orgs: 'DV' }),
  department_inner_sn: f.ref('使用科室', 'department', { orgs: 'H' }),
  ...narrowing,
  warehouse_model_inner_sn: f.ref('使用仓库', 'warehouse', { orgs: 'H' }),
  custom_type_sn: f.ref('产品分类', 'customType', ofFinanceClass.finance_class_sn),
  supplier_sn: f.ref('供应商', 'organisation', { orgs: 'H', optionsFilter: { relation: 'supplier' } }),
  use_type: f.pick('使用类型', useTypes),
  regime: f.pick('货权方式', regimes),
  value_class: f.pick('高值/低值/试剂', valueClasses),
  is_implant: f.flag('植入标识'),
  is_collective: f.flag('仅集采', { orgs: 'H' }),
  lot_no: f.lot('批号'),
  unit_code: f.piece('院内码/UDI'),
  charge_state: f.pick('计费状态', chargeStates, { orgs: 'H' }),
  is_chargeable: f.flag('是否可收费', { orgs: 'H' }),
  visit_type: f.pick('就诊类型', visitTypes, { orgs: 'H' }),
  settled_stage: f.pick('结算状态', settledStages),
  doctor_inner_sn: f.ref('主刀医生', 'employee', { orgs: 'H' }),
  surgery_name: f.patient('手术名称', { orgs: 'H' }),
} as const
