import { f } from '#kernel/definition/field.ts'
import { shows } from '#kernel/measure/measure.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { goods, narrowing, ofClass, orderlyPeriod, period, unit } from '#modules/platform/reports/item-columns.ts'

const behind = {
  to: 'outboundFinance',
  with: {
    counterparty_sn: 'counterparty_sn',
    specification_sn: 'specification_sn',
    begin_date: '=begin_date',
    end_date: '=end_date',
  },
} as const

const ofGoods = ['product_code', 'product_name', 'specification_name', 'unit_name'] as const
/** The row's columns, by grouping. */
const about: Readonly<Record<string, readonly string[]>> = {
  customer: ['counterparty_name'],
  goods: [...ofGoods, 'manufacturer_name'],
  customer_goods: ['counterparty_name', ...ofGoods, 'manufacturer_name'],
  manufacturer: ['manufacturer_name'],
  handler: ['handler_name'],
  department: ['department_name'],
  class: ['class_name'],
  month: ['month'],
}
const subjects = [...new Set(Object.values(about).flat())]

/**
 * 销售汇总: net sales, cost and gross profit of a period, summed by customer, goods, manufacturer or salesperson. Gifts
 * and samples are not sales and are shown separately.
 */
export const salesSummary = defineReport({
  kind: 'salesSummary',
  title: '销售汇总',
  sqlFile: 'platform/reports/sales-summary.sql',
  parameters: {
    ...period,
    dimension: f.pick('统计维度', {
      customer: '客户',
      goods: '产品',
      customer_goods: '客户与产品',
      manufacturer: '生产厂家',
      handler: '业务员',
      department: '部门',
      class: '产品分类',
      month: '月份',
    }),
    counterparty_sn: f.ref('客户', 'organisation', { optionsFilter: { relation: 'customer' } }),
    ...narrowing,
    with_settled: f.flag('含寄售结算'),
    customer_type: f.pick('客户类型', { 1: '医院', 2: '经销商', 3: '厂商' }),
    handler_inner_sn: f.ref('业务员', 'employee'),
    department_inner_sn: f.ref('部门', 'department'),
    ...ofClass,
  },
  validate: orderlyPeriod,
  columns: {
    counterparty_name: f.text('客户', { width: 220 }),
    ...goods,
    handler_name: f.text('业务员'),
    department_name: f.text('部门'),
    class_name: f.text('产品分类'),
    month: f.text('月份'),
    ...unit,
    sold_quantity: f.quantity('销售数量'),
    returned_quantity: f.quantity('退货数量'),
    net_quantity: f.quantity('净销售数量'),
    untaxed_amount: f.amount('未税金额'),
    tax_amount: f.amount('税额'),
    taxed_amount: f.amount('含税金额', shows(measures.sold)),
    cost: f.cost('销售成本'),
    profit: f.margin('毛利'),
    margin: f.marginRate('毛利率'),
    billed: f.amount('已开票金额'),
    received: f.amount('已收款金额'),
    given_quantity: f.quantity('赠送数量'),
  },
  totals: [
    'net_quantity',
    'untaxed_amount',
    'tax_amount',
    'taxed_amount',
    'cost',
    'profit',
    'billed',
    'received',
    'given_quantity',
  ],
  hiddenColumns: ({ dimension }) => subjects.filter(name => !about[String(dimension || 'customer')]?.includes(name)),
  drillDown: { net_quantity: behind, taxed_amount: behind },
  screens: [
    {
      route: '/commonView/salesSummary',
      title: '销售汇总',
      orgs: 'DV',
      menu: '报表中心',
      purpose: '期间内的净销售、成本与毛利，按客户、产品、生产厂家、业务员、部门、分类或月份汇总',
      columns: [
        'counterparty_name',
        'product_code',
        'product_name',
        'specification_name',
        'manufacturer_name',
        'handler_name',
        'department_name',
        'class_name',
        'month',
        'unit_name',
        'sold_quantity',
        'returned_quantity',
        'net_quantity',
        'untaxed_amount',
        'tax_amount',
        'taxed_amount',
        'cost',
        'profit',
        'margin',
        'billed',
        'received',
        'given_quantity',
      ],
      keyColumns: [
        'counterparty_name',
        'product_name',
        'specification_name',
        'net_quantity',
        'unit_name',
        'taxed_amount',
        'cost',
        'profit',
      ],
      filters: [],
    },
  ],
})
