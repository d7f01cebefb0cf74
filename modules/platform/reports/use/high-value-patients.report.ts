import { defineAnalysis } from '#kernel/definition/analysis.ts'
import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { followUpAsked } from '#modules/platform/reports/patients/patient-follow-up.entity.ts'
import { useFacts } from '#modules/platform/reports/use/use-facts.ts'
import { goods, lot, orderlyPeriod, unit } from '#modules/platform/reports/item-columns.ts'
import { chargeStates, patientFilters, useFilters } from '#modules/platform/reports/use/use-filters.ts'
import { pieces, surgeryDimensions, useDimensions } from '#modules/platform/reports/use/use-measures.ts'

const { value_class: _high, ...filters } = useFilters
const page = {
  route: '/hospital/gzCustomerReport',
  title: '高值耗材患者使用报表',
  orgs: 'H',
  menu: '报表中心',
} as const

/**
 * 高值耗材患者使用报表: goods of high value by the patient who received them; without the right to patient data names and
 * numbers are masked, on the page and in the workbook. Amounts at cost and at the charge price of the day, tax
 * included.
 */
export const highValuePatients = defineReport({
  kind: 'highValuePatients',
  title: '高值耗材患者使用报表',
  beside: useFacts,
  sqlFile: 'platform/reports/use/usage-details.sql',
  parameters: { ...filters, ...patientFilters },
  fixed: { value_class: 'high', has_patient: true },
  validate: orderlyPeriod,
  columns: {
    department_name: f.text('使用科室'),
    admission_no: f.patient('住院号/门诊号'),
    patient_name: f.patient('患者姓名'),
    patient_sex: f.patient('性别', { width: 60 }),
    patient_age: f.patient('年龄', { width: 60 }),
    surgery_name: f.patient('手术名称', { width: 150 }),
    operated_on: f.day('手术日期'),
    used_on: f.day('使用日期'),
    doctor_name: f.text('主刀医生'),
    document_sn: f.text('使用单号', { width: 130 }),
    ...goods,
    ...unit,
    supplier_name: f.text('供应商', { width: 180 }),
    ...lot,
    codes: f.text('院内码/UDI', { width: 170 }),
    quantity: f.quantity('数量'),
    amount: f.amount('金额(进价)'),
    due_charge_amount: f.amount('金额(收费价)'),
    charge_state: f.pick('计费状态', chargeStates, {
      tones: { missed: 'danger', over: 'danger', checked: 'success' },
    }),
  },
  totals: ['quantity', 'amount', 'due_charge_amount'],
  groupBy: ['department_name'],
  drillDown: { document_sn: { document: 'document_kind' } },
  calls: { followUp: { label: '随访登记', asks: followUpAsked, rows: true, right: 'patientFollowUp.add' } },
  screens: [
    {
      ...page,
      tab: '患者明细',
      leads: true,
      purpose: '高值耗材按患者列示，用于例均费用、医保核查与植入后随访；无权查看患者信息的人员只见脱敏内容',
      columns: [
        'department_name',
        'admission_no',
        'patient_name',
        'patient_sex',
        'patient_age',
        'surgery_name',
        'operated_on',
        'used_on',
        'doctor_name',
        'product_name',
        'specification_name',
        'unit_name',
        'manufacturer_name',
        'lot_no',
        'codes',
        'quantity',
        'amount',
        'due_charge_amount',
        'charge_state',
      ],
      filters: [],
    },
  ],
})

/**
 * 例均费用: goods of high value by department, operation or surgeon. A case is one stay or one visit, also with two
 * operations; it drops out when nothing of it is left.
 */
export const highValueCases = defineAnalysis({
  kind: 'highValueCases',
  title: '高值耗材例均费用',
  of: highValuePatients,
  day: 'used_on',
  dimensions: {
    department_name: useDimensions.department_name,
    product_name: useDimensions.product_name,
    supplier_name: useDimensions.supplier_name,
    ...surgeryDimensions,
  },
  standard: ['department_name'],
  columns: {
    case_count: f.count('例数'),
    quantity: f.quantity('使用件数'),
    amount: f.amount('金额(进价)'),
    due_charge_amount: f.amount('金额(收费价)'),
    amount_per_case: f.price('例均费用'),
    share: f.rate('占比'),
  },
  measures: {
    case_count: { count: 'case_no', positive: 'quantity' },
    quantity: pieces('quantity'),
    amount: { sum: 'amount' },
    due_charge_amount: { sum: 'due_charge_amount' },
    amount_per_case: { ratio: ['due_charge_amount', 'case_count'] },
    share: { share: 'amount' },
  },
  main: 'amount',
  screens: [{ ...page, tab: '例均费用', purpose: '按科室、手术、医生或产品统计高值耗材的例数与例均费用' }],
})
