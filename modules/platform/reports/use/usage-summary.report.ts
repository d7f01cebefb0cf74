import { shows } from '#kernel/measure/measure.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { defineAnalysis } from '#kernel/definition/analysis.ts'
import { f } from '#kernel/definition/field.ts'
import { usageDetails } from '#modules/platform/reports/use/usage-details.report.ts'
import { pieces, useDimensions } from '#modules/platform/reports/use/use-measures.ts'

/**
 * 使用汇总: what was used, taken back, settled and not settled yet, by the reader's dimensions. Of consigned goods
 * settled + unsettled = net; of bought ones nothing is unsettled. In yuan, tax included.
 */
export const usageSummary = defineAnalysis({
  kind: 'usageSummary',
  title: '使用汇总报表',
  of: usageDetails,
  day: 'used_on',
  dimensions: useDimensions,
  standard: ['department_name', 'hospital_name', 'product_name'],
  columns: {
    used_quantity: f.quantity('使用数量'),
    returned_quantity: f.quantity('退用数量'),
    quantity: f.quantity('净使用数量'),
    amount: f.amount('净使用金额(含税)', shows(measures.used)),
    settled_quantity: f.quantity('已结算数量'),
    settled_amount: f.amount('已结算金额'),
    unsettled_quantity: f.quantity('未结算数量'),
    unsettled_amount: f.amount('未结算金额'),
    share: f.rate('占比'),
    change: f.rate('环比'),
  },
  measures: {
    used_quantity: pieces('used_quantity'),
    returned_quantity: pieces('returned_quantity'),
    quantity: pieces('quantity'),
    amount: { sum: 'amount' },
    settled_quantity: pieces('settled_quantity'),
    settled_amount: { sum: 'settled_amount' },
    unsettled_quantity: pieces('unsettled_quantity'),
    unsettled_amount: { sum: 'unsettled_amount' },
    share: { share: 'amount' },
    change: { change: 'amount', against: 'previous' },
  },
  main: 'amount',
  screens: [
    {
      route: '/commonView/usageSummaryReport',
      title: '使用汇总报表',
      orgs: 'HDV',
      menu: '报表中心',
      purpose: '按科室、医院、产品、分类、供应商或期间汇总使用，含已结算与未结算，作为医院与供应商的月度核对依据',
    },
  ],
})
