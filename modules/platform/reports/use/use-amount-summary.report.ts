import { shows } from '#kernel/measure/measure.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { defineAnalysis } from '#kernel/definition/analysis.ts'
import { f } from '#kernel/definition/field.ts'
import { usageDetails } from '#modules/platform/reports/use/usage-details.report.ts'
import { pieces, useDimensions } from '#modules/platform/reports/use/use-measures.ts'

/**
 * 使用金额汇总: the value of what was used, settled or not, against the period before and the year before. The three
 * parts by value add up to the net amount. In yuan, tax included.
 */
export const useAmountSummary = defineAnalysis({
  kind: 'useAmountSummary',
  title: '使用金额汇总',
  of: usageDetails,
  day: 'used_on',
  dimensions: useDimensions,
  standard: ['department_name', 'hospital_name'],
  columns: {
    product_count: f.count('品规数'),
    document_count: f.count('使用笔数'),
    used_quantity: f.quantity('使用数量'),
    returned_quantity: f.quantity('退回数量'),
    used_amount: f.amount('使用金额'),
    returned_amount: f.amount('退回金额'),
    amount: f.amount('净使用金额', shows(measures.used)),
    high_amount: f.amount('其中：高值'),
    low_amount: f.amount('其中：低值'),
    reagent_amount: f.amount('其中：试剂'),
    settled_amount: f.amount('已结算金额'),
    unsettled_amount: f.amount('未结算金额'),
    previous_amount: f.amount('上期金额'),
    change: f.rate('环比'),
    year_amount: f.amount('同期金额'),
    year_change: f.rate('同比'),
    share: f.rate('占比'),
  },
  measures: {
    product_count: { count: 'specification_sn' },
    document_count: { count: 'first_id', positive: 'quantity' },
    used_quantity: pieces('used_quantity'),
    returned_quantity: pieces('returned_quantity'),
    used_amount: { sum: 'used_amount' },
    returned_amount: { sum: 'returned_amount' },
    amount: { sum: 'amount' },
    high_amount: { sum: 'high_amount' },
    low_amount: { sum: 'low_amount' },
    reagent_amount: { sum: 'reagent_amount' },
    settled_amount: { sum: 'settled_amount' },
    unsettled_amount: { sum: 'unsettled_amount' },
    previous_amount: { before: 'amount', against: 'previous' },
    change: { change: 'amount', against: 'previous' },
    year_amount: { before: 'amount', against: 'year' },
    year_change: { change: 'amount', against: 'year' },
    share: { share: 'amount' },
  },
  main: 'amount',
  screens: [
    {
      route: '/commonView/summaryUseAmount',
      title: '使用金额汇总',
      orgs: 'HDV',
      menu: '结算管理',
      purpose: '期间内使用的金额，不论是否已结算，与上期和去年同期比较',
    },
  ],
})
