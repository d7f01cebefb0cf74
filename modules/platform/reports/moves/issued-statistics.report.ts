import type { Dimension } from '#kernel/definition/analysis.ts'
import { defineAnalysis } from '#kernel/definition/analysis.ts'
import { shows } from '#kernel/measure/measure.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { f } from '#kernel/definition/field.ts'
import { centerOutboundDetails, issuedLines } from '#modules/platform/reports/moves/issued-lines.report.ts'
import { goodsDimensions } from '#modules/platform/reports/trade/goods-filters.ts'
import { comparisonColumns, comparisonOf, pieces } from '#modules/platform/reports/use/use-measures.ts'

const dimensions = {
  receiver_name: {},
  document_kind: {},
  warehouse_name: { key: ['warehouse_model_inner_sn', 'warehouse_sn'] },
  ...goodsDimensions,
  supplier_name: { key: ['supplier_sn', 'supplier_sn'] },
  regime: { key: ['regime', 'regime'] },
} as const satisfies Readonly<Record<string, Dimension>>
const signed = {
  issued_quantity: f.quantity('出库数量'),
  returned_quantity: f.quantity('退回数量'),
  quantity: f.quantity('净出库数量'),
  issued_amount: f.amount('出库金额(含税)'),
  returned_amount: f.amount('退回金额'),
  amount: f.amount('净出库金额'),
} as const
const signedMeasures = {
  issued_quantity: pieces('issued_quantity'),
  returned_quantity: pieces('returned_quantity'),
  quantity: pieces('quantity'),
  issued_amount: { sum: 'issued_amount' },
  returned_amount: { sum: 'returned_amount' },
  amount: { sum: 'amount' },
} as const

/**
 * 出库统计: net = issued − returned, a return in the period of its own review. Profit and margin are a trader's, without
 * tax. In yuan.
 */
export const issuedStat = defineAnalysis({
  kind: 'issuedStat',
  title: '出库统计报表',
  of: issuedLines,
  day: 'day',
  dimensions: { ...dimensions, handler_name: { key: ['handler_inner_sn', 'handler_sn'] } },
  standard: ['period', 'receiver_name'],
  columns: {
    document_count: f.count('出库单数'),
    product_count: f.count('品种数'),
    ...signed,
    amount: f.amount('净出库金额(含税)', shows(measures.sold, measures.granted)),
    cost: f.cost('成本金额'),
    untaxed_amount: f.amount('净出库不含税'),
    profit: f.margin('毛利', { orgs: 'DV' }),
    margin: f.marginRate('毛利率', { orgs: 'DV' }),
    ...comparisonColumns,
  },
  measures: {
    document_count: { count: 'first_id', positive: 'issued_quantity' },
    product_count: { count: 'specification_sn' },
    ...signedMeasures,
    cost: { sum: 'cost' },
    untaxed_amount: { sum: 'untaxed_amount' },
    profit: { sum: 'profit' },
    margin: { ratio: ['profit', 'untaxed_amount'] },
    ...comparisonOf('amount'),
  },
  main: 'amount',
  screens: [
    {
      route: '/commonView/odoStatReport',
      title: '出库统计报表',
      orgs: 'HDV',
      menu: '报表中心',
      tab: '出库统计',
      leads: true,
      purpose: '按期间、客户或科室、产品、仓库统计出库与退回，含占比、排名、同比与环比',
    },
  ],
})

/** 中心库出库汇总: net = issued − returned, own + consigned = net; the statement that departments sign. In yuan. */
export const centerOutboundSummary = defineAnalysis({
  kind: 'centerOutboundSummary',
  title: '中心库出库汇总报表',
  of: centerOutboundDetails,
  day: 'day',
  parameters: { less_returns: f.flag('扣减退库', { default: true }) },
  dimensions,
  standard: ['receiver_name'],
  columns: {
    ...signed,
    own_amount: f.amount('其中自有'),
    consigned_amount: f.amount('其中寄售'),
    share: f.rate('占比'),
    change: f.rate('环比'),
  },
  measures: {
    ...signedMeasures,
    own_amount: { sum: 'own_amount' },
    consigned_amount: { sum: 'consigned_amount' },
    share: { share: 'amount' },
    change: { change: 'amount', against: 'previous' },
  },
  main: 'amount',
  signatures: ['科室负责人', '仓库', '财务'],
  screens: [
    {
      route: '/commonView/centerOutboundSummaryReport',
      title: '中心库出库汇总报表',
      orgs: 'H',
      menu: '报表中心',
      purpose: '中心库出库按科室、类型、分类或产品汇总，出库减退库等于自有与寄售之和，供科室签认',
    },
  ],
})
