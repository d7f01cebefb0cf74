import { defineAnalysis } from '#kernel/definition/analysis.ts'
import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import {
  goods,
  narrowing,
  ofFinanceClass,
  orderlyPeriod,
  period,
  unit,
} from '#modules/platform/reports/item-columns.ts'
import { weightsOf } from '#modules/base/settings/score-weights.ts'

const sides = { claim: '申领', grant: '发放与退库', use: '使用', count: '盘点', abnormal: '补货异常' } as const
const claimTypes = {
  normal: '常规',
  refill: '补货',
  pack: '定数包',
  high_value: '高值',
  reagent: '试剂',
  surgery: '手术',
} as const
const yes = { 0: '否', 1: '是' } as const

const page = {
  route: '/hospital/deptSpdStatistic',
  title: '科室SPD运营统计',
  orgs: 'H',
  menu: '报表中心',
} as const

/**
 * The events by which the supply of departments is judged, a row an event. Delivery runs from the last approval to
 * 送达时间, in hours; punctual is within 加急/常规送达时限; a receipt is prompt within two hours after the delivery was noted. A
 * use counts as scanned where its pieces were named by their codes.
 */
export const spdFigures = defineReport({
  kind: 'spdFigures',
  title: '科室SPD运营明细',
  beside: {
    department_sn: f.text('科室'),
    specification_sn: f.text('规格'),
    claim_id: f.text('申领单'),
    urgent_id: f.text('急领单'),
    claimed: f.count('已申领'),
    delivered: f.count('已配送'),
    due: f.count('应完成'),
    noted: f.count('已登记'),
    used: f.count('已使用'),
    counted: f.count('已盘点'),
    charged: f.count('已计费'),
    abnormal: f.count('异常次数'),
    abnormality: f.text('异常'),
    satisfied_weight: f.quantity('满足权重'),
    punctual_weight: f.quantity('及时权重'),
    scan_weight: f.quantity('扫码权重'),
    count_weight: f.quantity('盘点权重'),
    charge_weight: f.quantity('计费权重'),
  },
  sqlFile: 'platform/reports/restock/spd-figures.sql',
  parameters: {
    ...period,
    department_inner_sn: f.ref('科室', 'department'),
    warehouse_model_inner_sn: narrowing.warehouse_model_inner_sn,
    custom_type_sn: f.ref('产品分类', 'customType', ofFinanceClass.finance_class_sn),
    claim_type: f.pick('申领类型', claimTypes),
    side: f.pick('口径', sides),
  },
  fixed: { standard_weights: weightsOf('spdScore').preset },
  validate: orderlyPeriod,
  columns: {
    day: f.day('日期'),
    side: f.pick('口径', sides),
    document_sn: f.text('单据号', { width: 140 }),
    claim_type: f.pick('申领类型', claimTypes),
    department_name: f.text('科室'),
    product_code: goods.product_code,
    product_name: goods.product_name,
    specification_name: goods.specification_name,
    ...unit,
    class_name: f.text('产品分类'),
    quantity: f.quantity('数量'),
    approved: f.pick('批准', yes),
    satisfied: f.pick('满足', yes),
    delivery_hours: f.quantity('送达时长(h)'),
    punctual: f.pick('准时', yes),
    prompt: f.pick('及时收货', yes),
    scanned: f.pick('扫码使用', yes),
    granted_amount: f.amount('发放金额'),
    returned_amount: f.amount('退库金额'),
    exact: f.pick('盘点相符', yes),
    matched: f.pick('计费匹配', yes),
  },
  totals: ['granted_amount', 'returned_amount'],
  drillDown: { document_sn: { document: 'document_kind' } },
  screens: [
    {
      ...page,
      tab: '明细',
      purpose: '申领、发放、使用、盘点与补货异常的逐行明细，各项比率由此计算',
      columns: [
        'day',
        'side',
        'document_sn',
        'claim_type',
        'department_name',
        'product_code',
        'product_name',
        'specification_name',
        'unit_name',
        'quantity',
        'approved',
        'satisfied',
        'delivery_hours',
        'punctual',
        'prompt',
        'scanned',
        'granted_amount',
        'returned_amount',
        'exact',
        'matched',
      ],
      filters: [],
    },
  ],
})

/**
 * 科室SPD运营统计: the supply of each department as rates, with a score of 0 to 100 by weights that the hospital sets; a
 * rate without data passes its weight to the others. 退库率 is by amount, all other rates by lines.
 */
export const deptSpdStatistic = defineAnalysis({
  kind: 'deptSpdStatistic',
  title: '科室SPD运营统计',
  of: spdFigures,
  day: 'day',
  periodLabel: '月份',
  grains: ['month', 'quarter', 'year'],
  dimensions: {
    department_name: { key: ['department_inner_sn', 'department_sn'] },
    class_name: {},
  },
  standard: ['department_name'],
  columns: {
    claim_count: f.count('申领单数'),
    line_count: f.count('申领品种行数', { width: 120 }),
    urgent_count: f.count('加急单数'),
    urgent_rate: f.rate('加急率'),
    approved_count: f.count('批准行数'),
    satisfied_count: f.count('满足行数'),
    satisfied_rate: f.rate('满足率'),
    mean_hours: f.quantity('平均送达时长(h)'),
    punctual_rate: f.rate('准时送达率'),
    prompt_rate: f.rate('收货及时率'),
    scan_rate: f.rate('扫码使用率'),
    return_rate: f.rate('退库率'),
    count_rate: f.rate('盘点准确率'),
    charge_rate: f.rate('计费匹配率'),
    abnormal_count: f.count('补货异常数'),
    score: f.quantity('综合得分', { hint: '满足率、准时送达率、扫码使用率、盘点准确率、计费匹配率按权重合计' }),
  },
  measures: {
    claim_count: { count: 'claim_id' },
    line_count: { sum: 'claimed' },
    urgent_count: { count: 'urgent_id' },
    urgent_rate: { ratio: ['urgent_count', 'claim_count'] },
    approved_count: { sum: 'approved' },
    satisfied_count: { sum: 'satisfied' },
    satisfied_rate: { ratio: ['satisfied_count', 'approved_count'] },
    mean_hours: { mean: ['delivery_hours', 'delivered'], decimals: 1 },
    punctual_rate: { mean: ['punctual', 'due'] },
    prompt_rate: { mean: ['prompt', 'noted'] },
    scan_rate: { mean: ['scanned', 'used'] },
    return_rate: { mean: ['returned_amount', 'granted_amount'] },
    count_rate: { mean: ['exact', 'counted'] },
    charge_rate: { mean: ['matched', 'charged'] },
    abnormal_count: { sum: 'abnormal' },
    score: {
      score: {
        satisfied_rate: 'satisfied_weight',
        punctual_rate: 'punctual_weight',
        scan_rate: 'scan_weight',
        count_rate: 'count_weight',
        charge_rate: 'charge_weight',
      },
    },
  },
  main: 'score',
  drillDown: {
    abnormal_count: {
      to: 'restockAbnormal',
      with: { begin_date: 'period_begin', end_date: 'period_end', department_inner_sn: 'department_sn' },
    },
  },
  links: [
    { label: '设置权重', to: '/hospital/ruleConfiguration', tab: '规则', with: { title: '科室SPD运营评分权重' } },
  ],
  screens: [
    {
      ...page,
      tab: '科室统计',
      leads: true,
      keyColumns: [
        'score',
        'claim_count',
        'satisfied_rate',
        'punctual_rate',
        'prompt_rate',
        'scan_rate',
        'count_rate',
        'charge_rate',
        'abnormal_count',
      ],
      purpose: '各科室申领满足、送达、收货、扫码、退库、盘点与计费的比率及综合得分，按月考核',
    },
  ],
})
