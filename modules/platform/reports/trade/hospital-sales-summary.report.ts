import { defineAnalysis } from '#kernel/definition/analysis.ts'
import { f } from '#kernel/definition/field.ts'
import { goodsDimensions } from '#modules/platform/reports/trade/goods-filters.ts'
import { hospitalSales } from '#modules/platform/reports/trade/hospital-sales.report.ts'
import { pieces } from '#modules/platform/reports/use/use-measures.ts'

/**
 * 医院销售汇总: net sales = sales − returns, uncollected = net sales − received. Margin is profit by net sales without tax.
 * In yuan.
 */
export const hospitalSalesSummary = defineAnalysis({
  kind: 'hospitalSalesSummary',
  title: '医院销售汇总',
  of: hospitalSales,
  day: 'sold_on',
  dimensions: {
    counterparty_name: { beside: ['division_name'], key: ['counterparty_sn', 'counterparty_sn'] },
    division_name: { key: ['division', 'division_name'] },
    handler_name: { key: ['handler_inner_sn', 'handler_sn'] },
    ...goodsDimensions,
    document_kind: { key: ['document_kind', 'document_kind'] },
  },
  standard: ['counterparty_name'],
  columns: {
    sold_quantity: f.quantity('销售数量'),
    sold_amount: f.amount('销售金额(含税)'),
    returned_quantity: f.quantity('退货数量'),
    returned_amount: f.amount('退货金额'),
    amount: f.amount('净销售金额'),
    untaxed_amount: f.amount('净销售不含税'),
    cost: f.cost('成本金额'),
    profit: f.margin('毛利'),
    margin: f.marginRate('毛利率'),
    billed: f.amount('已开票金额'),
    received: f.amount('已回款金额'),
    uncollected: f.amount('未回款金额'),
    share: f.rate('占比'),
    change: f.rate('环比'),
  },
  measures: {
    sold_quantity: pieces('sold_quantity'),
    sold_amount: { sum: 'sold_amount' },
    returned_quantity: pieces('returned_quantity'),
    returned_amount: { sum: 'returned_amount' },
    amount: { sum: 'amount' },
    untaxed_amount: { sum: 'untaxed_amount' },
    cost: { sum: 'cost' },
    profit: { sum: 'profit' },
    margin: { ratio: ['profit', 'untaxed_amount'] },
    billed: { sum: 'billed' },
    received: { sum: 'received' },
    uncollected: { sum: 'uncollected' },
    share: { share: 'amount' },
    change: { change: 'amount', against: 'previous' },
  },
  main: 'amount',
  screens: [
    {
      route: '/commonView/hospitalSalesDetailsSummary',
      title: '医院销售汇总',
      orgs: 'DV',
      tab: '销售汇总',
      leads: true,
      menu: '报表中心',
      purpose: '按医院、省市、产品、业务员汇总医院销售，含毛利、开票、回款与环比',
    },
  ],
})
