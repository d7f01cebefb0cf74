import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { MONTH } from '#kernel/values/date.ts'

/** The rows behind a row: the same department and product. */
const checks = { to: 'useCheck', with: { department_inner_sn: 'department_sn', product_name: 'product_name' } } as const

/**
 * HIS核销对账报表: open items between use and charge at the beginning of a month, those added and decided in it, and those
 * open at its end: the opening of the next month.
 */
export const hisVerification = defineReport({
  kind: 'hisVerification',
  title: 'HIS核销对账报表',
  sqlFile: 'hospital/charges/verification/his-verification.sql',
  parameters: {
    period: f.text('月份', {
      required: true,
      default: 'month',
      match: MONTH,
      matchMsg: '月份应如2026-01',
    }),
    department_inner_sn: f.ref('科室', 'department'),
    custom_type_sn: f.ref('产品分类', 'customType', { optionsFilter: { tree: 'own' } }),
    product: f.text('产品'),
    supplier_sn: f.ref('供应商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
    is_high_value: f.flag('高值标识'),
  },
  columns: {
    month: f.text('月份', { width: 90 }),
    class_name: f.text('产品分类'),
    supplier_name: f.text('供应商'),
    department_name: f.text('科室'),
    product_code: f.text('产品编码'),
    product_name: f.text('产品名称'),
    specification_name: f.text('规格型号'),
    unit_name: f.text('单位', { width: 70 }),
    opening_quantity: f.quantity('期初未核销数量'),
    used_quantity: f.quantity('本期使用数量'),
    back_quantity: f.quantity('本期退用数量'),
    checked_quantity: f.quantity('本期核销数量'),
    waived_quantity: f.quantity('本期免计费数量'),
    cost_quantity: f.quantity('本期转成本数量'),
    closing_quantity: f.quantity('期末未核销数量'),
    due_quantity: f.quantity('本期应核销数量'),
    checked_amount: f.amount('核销金额(收费价)'),
    checked_cost: f.cost('核销成本(进价)'),
    open_amount: f.amount('未核销金额'),
    checked_rate: f.rate('核销率'),
  },
  groupBy: ['department_name', 'product_name', 'class_name', 'supplier_name', 'month'],
  groupOnlyColumns: ['class_name', 'supplier_name'],
  ratios: { checked_rate: ['checked_quantity', 'due_quantity'] },
  totals: [
    'opening_quantity',
    'used_quantity',
    'back_quantity',
    'checked_quantity',
    'waived_quantity',
    'cost_quantity',
    'closing_quantity',
    'checked_amount',
    'checked_cost',
    'open_amount',
  ],
  drillDown: { closing_quantity: checks },
  signatures: ['制表', '仓库', '财务'],
  screens: [
    {
      route: '/hospital/hisVerificationReport',
      tab: '对账报表',
      leads: true,
      title: 'HIS核销对账报表',
      orgs: 'H',
      menu: 'HIS对接',
      purpose: '期末未核销＝期初＋使用－退用－核销－免计费－转成本；已月结月份之后的处理记入未结的月份',
      columns: [
        'month',
        'class_name',
        'supplier_name',
        'department_name',
        'product_code',
        'product_name',
        'specification_name',
        'unit_name',
        'opening_quantity',
        'used_quantity',
        'back_quantity',
        'checked_quantity',
        'waived_quantity',
        'cost_quantity',
        'closing_quantity',
        'checked_amount',
        'checked_cost',
        'open_amount',
        'checked_rate',
      ],
      filters: [],
    },
  ],
})
