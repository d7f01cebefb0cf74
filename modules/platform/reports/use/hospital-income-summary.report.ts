import { defineAnalysis } from '#kernel/definition/analysis.ts'
import { f } from '#kernel/definition/field.ts'
import { estimatedBy, unlessZero } from '#modules/platform/reports/figure-alerts.ts'
import { usageDetails } from '#modules/platform/reports/use/usage-details.report.ts'
import { pieces, useDimensions } from '#modules/platform/reports/use/use-measures.ts'

const { department_name, product_name, class_name, supplier_name, value_class } = useDimensions

/**
 * 销售汇总报表 of a hospital: what its goods cost against what patients were charged. 差额 compares chargeable goods only:
 * under zero mark-up it is zero. Income is what the HIS charged, and the charge price of the day while it has not.
 * In yuan, tax included.
 */
export const hospitalIncomeSummary = defineAnalysis({
  kind: 'hospitalIncomeSummary',
  title: '销售汇总报表',
  of: usageDetails,
  day: 'used_on',
  dimensions: { department_name, class_name, supplier_name, product_name, value_class },
  standard: ['department_name'],
  columns: {
    quantity: f.quantity('使用数量'),
    amount: f.amount('成本金额(进价)'),
    income: f.amount('收费金额', { hint: '含尚未计费的，按收费价估算，以斜体显示' }),
    estimated_income: f.amount('其中未计费'),
    chargeable_cost: f.cost('可收费成本'),
    surplus: f.amount('差额'),
    surplus_rate: f.rate('差额率'),
    unchargeable_cost: f.cost('不可收费成本'),
    outpatient_income: f.amount('门诊收费'),
    inpatient_income: f.amount('住院收费'),
    share: f.rate('占比'),
  },
  measures: {
    quantity: pieces('quantity'),
    amount: { sum: 'amount' },
    income: { sum: 'income' },
    estimated_income: { sum: 'estimated_income' },
    chargeable_cost: { sum: 'chargeable_cost' },
    surplus: { sum: 'surplus' },
    surplus_rate: { ratio: ['surplus', 'chargeable_cost'] },
    unchargeable_cost: { sum: 'unchargeable_cost' },
    outpatient_income: { sum: 'outpatient_income' },
    inpatient_income: { sum: 'inpatient_income' },
    share: { share: 'amount' },
  },
  main: 'amount',
  alerts: {
    surplus: unlessZero('surplus'),
    surplus_rate: unlessZero('surplus'),
    income: estimatedBy('estimated_income'),
  },
  drillDown: {
    surplus: {
      to: 'useCheck',
      with: { begin_used_at: 'period_begin', end_used_at: 'period_end', department_inner_sn: 'department_sn' },
    },
  },
  screens: [
    {
      route: '/hospital/salesSummaryReport',
      title: '销售汇总报表',
      orgs: 'H',
      menu: '报表中心',
      purpose: '按科室、分类、供应商或产品汇总耗材进价成本与收费金额，零加成下差额应为零',
    },
  ],
})
