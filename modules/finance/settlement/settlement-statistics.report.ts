import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'

/** The uses of a row. */
const uses = {
  to: 'usageDetails',
  with: {
    supplier_sn: 'supplier_sn',
    department_inner_sn: 'department_sn',
    regime: 'regime',
    begin_date: 'first_day',
    end_date: 'last_day',
  },
} as const

const amounts = [
  'used_amount',
  'waiting_amount',
  'held_amount',
  'settling_amount',
  'settled_amount',
  'received_amount',
  'invoiced_amount',
  'uninvoiced_amount',
  'applied_amount',
  'paid_amount',
  'unpaid_amount',
] as const

/**
 * 结算统计: how far used goods of others have got, by supplier, department and month of use: a record counts in every
 * column up to the state it has reached. waiting + held + settling + settled = used. Lent goods that are received by
 * the sale of their owner are settled by that receipt. In yuan, tax included.
 */
export const settlementStatistics = defineReport({
  kind: 'settlementStatistics',
  title: '结算统计',
  sqlFile: 'finance/settlement/settlement-statistics.sql',
  parameters: {
    begin_date: f.day('使用日期起', { required: true }),
    end_date: f.day('使用日期止', { required: true }),
    counterparty_sn: f.ref('供应商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
    department_inner_sn: f.ref('使用科室', 'department'),
    high_value: f.pick('高值标识', { yes: '高值', no: '非高值' }),
    unfinished: f.pick('显示', { yes: '仅未完成' }),
  },
  validate: ({ begin_date, end_date }) => (String(begin_date) > String(end_date) ? '开始日期不能大于结束日期' : null),
  columns: {
    supplier_name: f.text('供应商'),
    month: f.text('使用月份'),
    department_name: f.text('使用科室'),
    use_count: f.count('使用笔数'),
    used_amount: f.amount('使用金额', {
      hint: '他人货物的使用金额，含税：结算前按结算价，跟台借用的先按约定价，再按销售价与入库价',
    }),
    waiting_amount: f.amount('待结算金额'),
    held_amount: f.amount('暂缓金额'),
    settling_amount: f.amount('结算中金额'),
    settled_amount: f.amount('已结算金额', { hint: '已审核结算单的使用；跟台借用、按骨科采购入库的，入库即为已结算' }),
    received_amount: f.amount('已入库金额'),
    invoiced_amount: f.amount('已开票金额'),
    uninvoiced_amount: f.amount('未开票金额'),
    applied_amount: f.amount('已申请金额'),
    paid_amount: f.amount('已付金额'),
    unpaid_amount: f.amount('未付金额'),
    settled_share: f.rate('结算率'),
    invoiced_share: f.rate('开票率'),
    paid_share: f.rate('付款率'),
  },
  totals: [...amounts],
  groupBy: ['supplier_name', 'month', 'department_name'],
  ratios: {
    settled_share: ['settled_amount', 'used_amount'],
    invoiced_share: ['invoiced_amount', 'received_amount'],
    paid_share: ['paid_amount', 'invoiced_amount'],
  },
  drillDown: { used_amount: uses },
  screens: [
    {
      route: '/hospital/settlementStatistics',
      title: '结算统计',
      orgs: 'H',
      menu: '结算管理',
      purpose: '按供应商、科室和使用月份统计已使用寄售货物的结算、入库、开票、申请与付款进度',
      columns: [
        'supplier_name',
        'month',
        'department_name',
        'use_count',
        ...amounts,
        'settled_share',
        'invoiced_share',
        'paid_share',
      ],
      filters: [],
    },
  ],
})
