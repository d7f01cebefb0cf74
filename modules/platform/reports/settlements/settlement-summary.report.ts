import { shows } from '#kernel/measure/measure.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { defineAnalysis } from '#kernel/definition/analysis.ts'
import { f } from '#kernel/definition/field.ts'
import { settlementDetails } from '#modules/platform/reports/settlements/settlement-details.report.ts'
import { settlementDimensions } from '#modules/platform/reports/settlements/settlement-measures.ts'
import { pieces } from '#modules/platform/reports/use/use-measures.ts'

/**
 * 结算汇总: settled money by partner and period: settled = invoiced + not invoiced, invoiced = paid + unpaid. In yuan;
 * without tax and tax are sums of the lines' rounded figures.
 */
export const settlementSummary = defineAnalysis({
  kind: 'settlementSummary',
  title: '结算汇总报表',
  of: settlementDetails,
  day: 'settled_on',
  dimensions: settlementDimensions,
  standard: ['counterparty_name', 'settlement_period'],
  columns: {
    settlement_count: f.count('结算单数'),
    product_count: f.count('结算品种数'),
    quantity: f.quantity('结算数量'),
    amount: f.amount('结算金额(含税)', shows(measures.settled)),
    untaxed_amount: f.amount('不含税金额'),
    tax_amount: f.amount('税额'),
    high_amount: f.amount('其中高值'),
    low_amount: f.amount('其中低值'),
    reagent_amount: f.amount('其中试剂'),
    invoiced_amount: f.amount('已开票金额'),
    uninvoiced_amount: f.amount('未开票金额'),
    paid_amount: f.amount('已付款金额'),
    unpaid_amount: f.amount('未付款金额'),
  },
  measures: {
    settlement_count: { count: 'settlement_id' },
    product_count: { count: 'specification_sn' },
    quantity: pieces('quantity'),
    amount: { sum: 'amount' },
    untaxed_amount: { sum: 'untaxed_amount' },
    tax_amount: { sum: 'tax_amount' },
    high_amount: { sum: 'high_amount' },
    low_amount: { sum: 'low_amount' },
    reagent_amount: { sum: 'reagent_amount' },
    invoiced_amount: { sum: 'invoiced_amount' },
    uninvoiced_amount: { sum: 'uninvoiced_amount' },
    paid_amount: { sum: 'paid_amount' },
    unpaid_amount: { sum: 'unpaid_amount' },
  },
  main: 'amount',
  calls: {
    statement: {
      label: '导出对账单',
      asks: {
        begin_date: f.day('期间起', { required: true }),
        end_date: f.day('期间止', { required: true }),
        counterparty_sn: f.ref('往来单位', 'organisation', { hint: '留空为期间内有结算的每个往来单位各一张工作表' }),
      },
    },
  },
  screens: [
    {
      route: '/commonView/settlementSummaryReport',
      title: '结算汇总报表',
      orgs: 'HDV',
      menu: '报表中心',
      purpose: '按往来单位、结算期间、分类、产品或科室汇总结算，含已开票、未开票、已付款与未付款金额',
    },
  ],
})
