import { shows } from '#kernel/measure/measure.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { defineAnalysis } from '#kernel/definition/analysis.ts'
import { f } from '#kernel/definition/field.ts'
import { usageDetails } from '#modules/platform/reports/use/usage-details.report.ts'
import {
  comparisonColumns,
  comparisonOf,
  pieces,
  surgeryDimensions,
  useDimensions,
} from '#modules/platform/reports/use/use-measures.ts'

/**
 * 使用统计: consumption over time with 同比, 环比, share and rank. A case is a stay or a visit with something used and not
 * taken back; 例均 is what was used on patients, by case. high + low + reagent = amount. In yuan, tax included.
 */
export const useStat = defineAnalysis({
  kind: 'useStat',
  title: '使用统计报表',
  of: usageDetails,
  day: 'used_on',
  dimensions: { ...useDimensions, ...surgeryDimensions },
  standard: ['period', 'department_name', 'hospital_name'],
  columns: {
    document_count: f.count('使用单数'),
    case_count: f.count('例数', { orgs: 'H' }),
    product_count: f.count('品种数'),
    quantity: f.quantity('使用数量'),
    amount: f.amount('使用金额(含税)', shows(measures.used)),
    high_amount: f.amount('其中高值'),
    low_amount: f.amount('其中低值'),
    reagent_amount: f.amount('其中试剂'),
    case_amount: f.amount('患者使用金额', { orgs: 'H' }),
    amount_per_case: f.price('例均金额', { orgs: 'H' }),
    ...comparisonColumns,
  },
  measures: {
    document_count: { count: 'first_id', positive: 'quantity' },
    case_count: { count: 'case_no', positive: 'quantity' },
    product_count: { count: 'specification_sn' },
    quantity: pieces('quantity'),
    amount: { sum: 'amount' },
    high_amount: { sum: 'high_amount' },
    low_amount: { sum: 'low_amount' },
    reagent_amount: { sum: 'reagent_amount' },
    case_amount: { sum: 'case_amount' },
    amount_per_case: { ratio: ['case_amount', 'case_count'] },
    ...comparisonOf('amount'),
  },
  main: 'amount',
  screens: [
    {
      route: '/commonView/useStatReport',
      title: '使用统计报表',
      orgs: 'HDV',
      menu: '报表中心',
      purpose: '按期间与任选维度统计使用金额、例数与例均，含同比、环比、占比与排名',
    },
  ],
})
