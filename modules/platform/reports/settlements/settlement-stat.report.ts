import { shows } from '#kernel/measure/measure.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { defineAnalysis } from '#kernel/definition/analysis.ts'
import { f } from '#kernel/definition/field.ts'
import { settlementDetails } from '#modules/platform/reports/settlements/settlement-details.report.ts'
import { settlementDimensions } from '#modules/platform/reports/settlements/settlement-measures.ts'
import { comparisonColumns, comparisonOf, pieces } from '#modules/platform/reports/use/use-measures.ts'

/**
 * 结算统计: settled money over time, and how long it took from use to settlement, to invoice and to payment. Days are
 * weighted by money over what has come that far; how much has is the share beside them. In yuan and days.
 */
export const settlementStat = defineAnalysis({
  kind: 'settlementStat',
  title: '结算统计报表',
  of: settlementDetails,
  day: 'settled_on',
  grains: ['month', 'quarter', 'year'],
  dimensions: settlementDimensions,
  standard: ['period', 'counterparty_name'],
  columns: {
    settlement_count: f.count('结算单数'),
    quantity: f.quantity('结算数量'),
    amount: f.amount('结算金额(含税)', shows(measures.settled)),
    untaxed_amount: f.amount('不含税金额'),
    tax_amount: f.amount('税额'),
    use_days: f.quantity('使用至结算天数'),
    invoice_days: f.quantity('结算至开票天数'),
    invoice_share: f.rate('已开票占比'),
    payment_days: f.quantity('开票至付款天数'),
    payment_share: f.rate('已付款占比'),
    ...comparisonColumns,
  },
  measures: {
    settlement_count: { count: 'settlement_id' },
    quantity: pieces('quantity'),
    amount: { sum: 'amount' },
    untaxed_amount: { sum: 'untaxed_amount' },
    tax_amount: { sum: 'tax_amount' },
    use_days: { mean: ['use_days', 'use_weight'], decimals: 1 },
    invoice_days: { mean: ['invoice_days', 'invoice_weight'], decimals: 1 },
    invoice_share: { mean: ['invoice_weight', 'amount'] },
    payment_days: { mean: ['payment_days', 'payment_weight'], decimals: 1 },
    payment_share: { mean: ['payment_weight', 'amount'] },
    ...comparisonOf('amount'),
  },
  main: 'amount',
  screens: [
    {
      route: '/commonView/settlementStatReport',
      title: '结算统计报表',
      orgs: 'HDV',
      menu: '报表中心',
      purpose: '按月、季、年统计结算金额与同比、环比、占比、排名，以及从使用到结算、开票、付款的天数',
    },
  ],
})
