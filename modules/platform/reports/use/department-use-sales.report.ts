import { regimes } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { useFacts } from '#modules/platform/reports/use/use-facts.ts'
import { goods, lot, orderlyPeriod, unit } from '#modules/platform/reports/item-columns.ts'
import { anyPatient, chargeStates, settledStages, useFilters } from '#modules/platform/reports/use/use-filters.ts'

/**
 * 科室销售明细(新): what each department really used, with its charge and settlement, for costs by use instead of issue. It
 * knows no patient. A use that was never charged counts no charge; 计费差额 = charged − what should be charged.
 */
export const departmentUseSales = defineReport({
  kind: 'departmentUseSales',
  title: '科室销售明细(新)',
  beside: useFacts,
  sqlFile: 'platform/reports/use/usage-details.sql',
  parameters: useFilters,
  fixed: anyPatient,
  validate: orderlyPeriod,
  columns: {
    used_on: f.day('使用日期'),
    document_sn: f.text('使用单号', { width: 130 }),
    department_name: f.text('使用科室'),
    warehouse_name: f.text('使用仓库'),
    ...goods,
    ...unit,
    supplier_name: f.text('供应商', { width: 180 }),
    class_name: f.text('产品分类'),
    regime: f.pick('货权方式', regimes),
    ...lot,
    codes: f.text('院内码', { width: 170 }),
    quantity: f.quantity('使用数量'),
    price: f.price('进价(含税)'),
    amount: f.amount('成本金额'),
    charged_quantity: f.quantity('HIS计费数量'),
    charged_amount: f.amount('HIS计费金额'),
    charge_difference: f.amount('计费差额'),
    charge_state: f.pick('计费状态', chargeStates, {
      tones: { missed: 'danger', over: 'danger', checked: 'success' },
    }),
    settled_stage: f.pick('结算状态', settledStages, { tones: { settled: 'success', settling: 'info' } }),
    settlement_no: f.text('结算单号', { width: 130 }),
  },
  totals: ['quantity', 'amount', 'charged_quantity', 'charged_amount', 'charge_difference'],
  groupBy: ['department_name', 'product_name', 'specification_name'],
  drillDown: { document_sn: { document: 'document_kind' }, settlement_no: { document: 'settlement_kind' } },
  screens: [
    {
      route: '/hospital/departmentSalesDetailsNew',
      title: '科室销售明细(新)',
      orgs: 'H',
      menu: '报表中心',
      purpose: '各科室实际使用的逐行明细，并列HIS计费与结算状态，按使用口径核算科室成本',
      columns: [
        'used_on',
        'document_sn',
        'department_name',
        'warehouse_name',
        'product_code',
        'product_name',
        'specification_name',
        'unit_name',
        'supplier_name',
        'lot_no',
        'codes',
        'quantity',
        'price',
        'amount',
        'charged_quantity',
        'charged_amount',
        'charge_state',
        'settled_stage',
        'settlement_no',
      ],
      filters: [],
    },
  ],
})
