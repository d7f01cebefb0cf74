import { defineAnalysis } from '#kernel/definition/analysis.ts'
import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import {
  goods,
  lot,
  narrowing,
  ofFinanceClass,
  orderlyPeriod,
  period,
  unit,
} from '#modules/platform/reports/item-columns.ts'
import { unlessZero } from '#modules/platform/reports/figure-alerts.ts'
import { settledStages } from '#modules/platform/reports/use/use-filters.ts'
import { pieces, useDimensions } from '#modules/platform/reports/use/use-measures.ts'

const origins = { stock: '库存', consigned: '寄售', loan: '跟台' } as const
const page = {
  route: '/hospital/gzFinanceReport',
  title: '高值耗材财务报表',
  orgs: 'H',
  menu: '报表中心',
} as const
const money = {
  quantity: f.quantity('使用数量'),
  amount: f.amount('使用成本(进价)'),
  charged_quantity: f.quantity('计费数量'),
  charged_amount: f.amount('计费收入'),
  mark_up: f.amount('加成金额'),
  settled_amount: f.amount('结算金额'),
  unsettled_amount: f.amount('未结算金额'),
  received_amount: f.amount('入库金额'),
  invoiced_amount: f.amount('已开票金额'),
  paid_amount: f.amount('已付款金额'),
  charge_gap: f.quantity('计费差异数量'),
} as const

/**
 * 高值耗材财务报表 by piece: each use with its charge, settlement, receipt, invoice and payment, and no patient. Bought goods
 * have no settlement. In base units and yuan, tax included; the mark-up is that of what was charged.
 */
export const highValueLines = defineReport({
  kind: 'highValueLines',
  title: '高值耗材财务明细',
  beside: {
    department_sn: f.text('科室'),
    supplier_sn: f.text('供应商'),
    specification_sn: f.text('规格'),
  },
  sqlFile: 'platform/reports/use/high-value-finance.sql',
  parameters: {
    ...period,
    department_inner_sn: f.ref('使用科室', 'department'),
    supplier_sn: f.ref('供应商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
    custom_type_sn: f.ref('产品分类', 'customType', ofFinanceClass.finance_class_sn),
    specification_sn: narrowing.specification_sn,
    product: narrowing.product,
    settled_stage: f.pick('结算状态', settledStages),
    origin: f.pick('来源', origins),
  },
  validate: orderlyPeriod,
  columns: {
    used_on: f.day('使用日期'),
    document_sn: f.text('使用单号', { width: 130 }),
    department_name: f.text('使用科室'),
    supplier_name: f.text('供应商', { width: 180 }),
    ...goods,
    ...unit,
    class_name: f.text('产品分类'),
    origin: f.pick('来源', origins),
    lot_no: lot.lot_no,
    codes: f.text('院内码', { width: 170 }),
    ...money,
    settled_stage: f.pick('结算状态', settledStages, { tones: { settled: 'success', settling: 'info' } }),
    settlement_no: f.text('结算单号', { width: 130 }),
    receipt_no: f.text('入库单号', { width: 130 }),
    invoice_no: f.text('发票号', { width: 170 }),
  },
  totals: Object.keys(money) as (keyof typeof money)[],
  alerts: { mark_up: unlessZero('mark_up') },
  drillDown: {
    document_sn: { document: 'document_kind' },
    settlement_no: { document: 'settlement_kind' },
    receipt_no: { document: 'receipt_kind' },
  },
  screens: [
    {
      ...page,
      tab: '按单品码查看',
      purpose: '每件高值耗材从使用到计费、结算、入库、开票、付款逐笔对应，不含患者信息',
      columns: [
        'used_on',
        'document_sn',
        'department_name',
        'supplier_name',
        'product_code',
        'product_name',
        'specification_name',
        'unit_name',
        'codes',
        'quantity',
        'amount',
        'charged_quantity',
        'charged_amount',
        'mark_up',
        'settlement_no',
        'settled_amount',
        'receipt_no',
        'received_amount',
        'invoice_no',
        'invoiced_amount',
        'paid_amount',
        'charge_gap',
      ],
      filters: [],
    },
  ],
})

/** 高值耗材财务报表: the same pieces by department, supplier or product, month by month. */
export const highValueFinance = defineAnalysis({
  kind: 'highValueFinance',
  title: '高值耗材财务报表',
  of: highValueLines,
  day: 'used_on',
  periodLabel: '会计月份',
  grains: ['month', 'quarter', 'year'],
  dimensions: {
    department_name: useDimensions.department_name,
    supplier_name: useDimensions.supplier_name,
    product_name: useDimensions.product_name,
    class_name: {},
    origin: { key: ['origin', 'origin'] },
  },
  standard: ['department_name', 'supplier_name'],
  columns: money,
  measures: {
    quantity: pieces('quantity'),
    amount: { sum: 'amount' },
    charged_quantity: pieces('charged_quantity'),
    charged_amount: { sum: 'charged_amount' },
    mark_up: { sum: 'mark_up' },
    settled_amount: { sum: 'settled_amount' },
    unsettled_amount: { sum: 'unsettled_amount' },
    received_amount: { sum: 'received_amount' },
    invoiced_amount: { sum: 'invoiced_amount' },
    paid_amount: { sum: 'paid_amount' },
    charge_gap: pieces('charge_gap'),
  },
  main: 'amount',
  alerts: { mark_up: unlessZero('mark_up') },
  screens: [
    {
      ...page,
      tab: '汇总',
      leads: true,
      purpose: '高值耗材按科室与供应商并列成本、计费收入、结算、开票与付款，零加成下加成金额应为零',
    },
  ],
})
