import { regimes } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { shows } from '#kernel/measure/measure.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { useFacts } from '#modules/platform/reports/use/use-facts.ts'
import { goods, lot, orderlyPeriod, unit } from '#modules/platform/reports/item-columns.ts'
import {
  anyPatient,
  chargeStates,
  settledStages,
  useFilters,
  useTypes,
  valueClasses,
} from '#modules/platform/reports/use/use-filters.ts'

/**
 * 使用明细: every use with its price, charge and settlement, a row a line; a use that was taken back counts on its own day
 * with a minus. A hospital reads its departments and, with the right to, its patients; owners, suppliers and makers
 * read their own goods and neither departments nor patients. In base units and yuan, tax included: consigned goods at
 * their settlement price, bought ones at cost.
 */
export const usageDetails = defineReport({
  kind: 'usageDetails',
  title: '使用明细报表',
  beside: useFacts,
  sqlFile: 'platform/reports/use/usage-details.sql',
  parameters: useFilters,
  fixed: anyPatient,
  validate: orderlyPeriod,
  columns: {
    used_on: f.day('使用日期'),
    document_sn: f.text('使用单号', { width: 130 }),
    use_type: f.pick('使用类型', useTypes),
    hospital_name: f.text('医院', { width: 180, orgs: 'DV' }),
    department_name: f.text('使用科室', { width: 120, orgs: 'H' }),
    warehouse_name: f.text('使用仓库', { width: 120, orgs: 'H' }),
    doctor_name: f.text('主刀医生', { orgs: 'H' }),
    surgery_name: f.patient('手术名称', { orgs: 'H', width: 150 }),
    admission_no: f.patient('住院号/门诊号', { orgs: 'H' }),
    patient_name: f.patient('患者姓名', { orgs: 'H' }),
    ...goods,
    ...unit,
    supplier_name: f.text('供应商', { width: 180, orgs: 'H' }),
    class_name: f.text('产品分类'),
    value_class: f.pick('高值/低值/试剂', valueClasses),
    ...lot,
    codes: f.text('院内码/UDI', { width: 170 }),
    quantity: f.quantity('数量', { hint: '与使用金额同一范围的件数，按基本单位' }),
    price: f.price('单价(含税)'),
    amount: f.amount('金额(含税)', shows(measures.used)),
    regime: f.pick('货权方式', regimes),
    charge_state: f.pick('计费状态', chargeStates, {
      orgs: 'H',
      tones: { missed: 'danger', over: 'danger', checked: 'success' },
    }),
    settled_stage: f.pick('结算状态', settledStages, { tones: { settled: 'success', settling: 'info' } }),
    settlement_no: f.text('结算单号', { width: 130 }),
  },
  totals: ['quantity', 'amount'],
  groupBy: ['department_name', 'hospital_name'],
  drillDown: { document_sn: { document: 'document_kind' }, settlement_no: { document: 'settlement_kind' } },
  screens: [
    {
      route: '/commonView/usageDetailsReport',
      title: '使用明细报表',
      orgs: 'HDV',
      menu: '报表中心',
      purpose: '每一笔使用的批号、院内码、计费与结算状态；红冲的使用在红冲当日列为负数',
      columns: [
        'used_on',
        'document_sn',
        'use_type',
        'hospital_name',
        'department_name',
        'admission_no',
        'patient_name',
        'product_code',
        'product_name',
        'specification_name',
        'unit_name',
        'manufacturer_name',
        'supplier_name',
        'lot_no',
        'codes',
        'quantity',
        'price',
        'amount',
        'regime',
        'charge_state',
        'settled_stage',
        'settlement_no',
      ],
      keyColumns: [
        'used_on',
        'document_sn',
        'department_name',
        'product_name',
        'specification_name',
        'quantity',
        'amount',
        'settled_stage',
      ],
      filters: [],
    },
  ],
})
