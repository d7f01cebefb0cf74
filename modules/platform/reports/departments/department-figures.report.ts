import { defineAnalysis } from '#kernel/definition/analysis.ts'
import { regimes } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { shows } from '#kernel/measure/measure.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { above } from '#modules/platform/reports/figure-alerts.ts'
import { goods, ofFinanceClass, orderlyPeriod, period, unit } from '#modules/platform/reports/item-columns.ts'
import { valueClasses } from '#modules/platform/reports/use/use-filters.ts'

const page = {
  route: '/hospital/departStatisticalReport',
  title: '科室统计报表',
  orgs: 'H',
  menu: '报表中心',
} as const
const sides = { grant: '领用', use: '使用', budget: '预算', income: '医疗收入', stock: '期末库存' } as const
const amounts = {
  granted_amount: f.amount('领用金额'),
  returned_amount: f.amount('退库金额'),
  net_granted_amount: f.amount('净领用金额', shows(measures.granted)),
  used_amount: f.amount('使用金额', shows(measures.used)),
  high_amount: f.amount('其中高值'),
  low_amount: f.amount('其中低值'),
  reagent_amount: f.amount('其中试剂'),
  chargeable_amount: f.amount('可收费金额'),
  unchargeable_amount: f.amount('不可收费金额'),
  budget: f.amount('月度预算'),
  income: f.amount('医疗收入', { hint: 'HIS上报的医疗收入，不含药品；按月上报的计入当月首日' }),
} as const

/** A balance: months of it have no sum. */
const stockValue = f.cost('期末库存金额', shows(measures.stock))

/**
 * The rows behind the figures of departments: grants and returns by the day of their review, uses by the day of use,
 * the quota of each month that begins in the period, and the incomes that the HIS said of its days and of the months
 * that begin in it, without drugs; the stock of the stores of a department on the last day of each month. In yuan, tax
 * included.
 */
export const departmentFigures = defineReport({
  kind: 'departmentFigures',
  title: '科室统计明细',
  beside: {
    department_sn: f.text('科室'),
  },
  sqlFile: 'platform/reports/departments/department-figures.sql',
  parameters: {
    ...period,
    department_inner_sn: f.ref('科室', 'department'),
    with_children: f.flag('含下级科室'),
    side: f.pick('口径', sides),
    custom_type_sn: f.ref('产品分类', 'customType', ofFinanceClass.finance_class_sn),
    is_high_value: f.flag('高值标识'),
    regime: f.pick('货权方式', regimes),
  },
  validate: orderlyPeriod,
  columns: {
    day: f.day('日期'),
    side: f.pick('口径', sides),
    document_sn: f.text('单据号', { width: 130 }),
    department_name: f.text('科室'),
    parent_name: f.text('上级科室'),
    product_code: goods.product_code,
    product_name: goods.product_name,
    specification_name: goods.specification_name,
    ...unit,
    class_name: f.text('产品分类'),
    regime: f.pick('货权方式', regimes),
    value_class: f.pick('高值/低值/试剂', valueClasses),
    quantity: f.quantity('数量'),
    ...amounts,
    stock_value: stockValue,
  },
  totals: Object.keys(amounts) as (keyof typeof amounts)[],
  drillDown: { document_sn: { document: 'document_kind' } },
  screens: [
    {
      ...page,
      tab: '明细',
      purpose: '科室领用、退库、使用、月末库存、月度预算与医疗收入的逐行明细',
      columns: [
        'day',
        'side',
        'document_sn',
        'department_name',
        'product_code',
        'product_name',
        'specification_name',
        'unit_name',
        'class_name',
        'quantity',
        'granted_amount',
        'returned_amount',
        'used_amount',
        'budget',
        'income',
        'stock_value',
      ],
      filters: [],
    },
  ],
})

/**
 * 科室统计: what a department was granted and used in a month, against its quota. High + low + reagent = used;
 * chargeable + not chargeable = used; 预算执行率 = used / quota; 耗占比 = used / income without drugs.
 */
export const departStatistical = defineAnalysis({
  kind: 'departStatistical',
  title: '科室统计报表',
  of: departmentFigures,
  day: 'day',
  periodLabel: '月份',
  grains: ['month', 'quarter', 'year'],
  dimensions: {
    department_name: { beside: ['parent_name'], key: ['department_inner_sn', 'department_sn'] },
    parent_name: {},
    class_name: {},
  },
  standard: ['department_name', 'period'],
  columns: {
    ...amounts,
    stock_value: stockValue,
    budget_rate: f.rate('预算执行率'),
    income_share: f.rate('耗占比'),
    year_change: f.rate('同比'),
    change: f.rate('环比'),
  },
  measures: {
    granted_amount: { sum: 'granted_amount' },
    returned_amount: { sum: 'returned_amount' },
    net_granted_amount: { sum: 'net_granted_amount' },
    used_amount: { sum: 'used_amount' },
    high_amount: { sum: 'high_amount' },
    low_amount: { sum: 'low_amount' },
    reagent_amount: { sum: 'reagent_amount' },
    chargeable_amount: { sum: 'chargeable_amount' },
    unchargeable_amount: { sum: 'unchargeable_amount' },
    stock_value: { closing: 'stock_value' },
    budget: { sum: 'budget' },
    budget_rate: { ratio: ['used_amount', 'budget'] },
    income: { sum: 'income' },
    income_share: { ratio: ['used_amount', 'income'] },
    year_change: { change: 'used_amount', against: 'year' },
    change: { change: 'used_amount', against: 'previous' },
  },
  main: 'used_amount',
  alerts: { budget_rate: above('budget_rate', '0.9', '1') },
  screens: [
    {
      ...page,
      tab: '科室统计',
      leads: true,
      keyColumns: [
        'used_amount',
        'budget',
        'budget_rate',
        'income_share',
        'net_granted_amount',
        'year_change',
        'change',
      ],
      purpose: '按科室与月份统计领用、退库、使用与月度预算执行率、HIS医疗收入与耗占比，含同比与环比',
    },
  ],
})
