import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { goods, orderlyPeriod, period, unit } from '#modules/platform/reports/item-columns.ts'
import { ofGoods } from '#modules/platform/reports/trade/goods-filters.ts'

const classes = { A: 'A类', B: 'B类', C: 'C类' } as const
const evennesses = { steady: '稳定', uneven: '波动', rare: '偶发' } as const
const days = (...offered: readonly number[]) => Object.fromEntries(offered.map(each => [String(each), `${each}天`]))

/**
 * 使用量统计: use as figures to plan by. 日均 = use / days of the period; 建议下限 = ⌈日均 × (供货 + 安全天数)⌉,
 * 建议上限 = 下限 + ⌈日均 × 补货周期⌉, unless chosen otherwise 5, 3 and 7 days. A are the goods up to 80 % of the money,
 * B up to 95 %, the one that crosses a limit in the upper class. 波动系数 is the standard deviation of the months by
 * their mean: below 0.5 稳定, to 1 波动, above 偶发, of which nothing is proposed. In base units and yuan.
 */
export const usagePlanning = defineReport({
  kind: 'usagePlanning',
  title: '使用量统计',
  sqlFile: 'platform/reports/use/usage-planning.sql',
  parameters: {
    ...period,
    counterparty_sn: f.ref('医院', 'organisation', { orgs: 'DV' }),
    department_inner_sn: f.ref('科室', 'department', { orgs: 'H' }),
    ...ofGoods,
    supplier_sn: f.ref('供应商', 'organisation', { orgs: 'H', optionsFilter: { relation: 'supplier' } }),
    is_high_value: f.flag('高值标识'),
    abc: f.pick('ABC分类', classes),
    evenness: f.pick('波动等级', evennesses),
    supply_days: f.pick('供货天数', days(1, 2, 3, 5, 7, 10, 15, 30)),
    safety_days: f.pick('安全天数', days(1, 2, 3, 5, 7, 10, 15)),
    cycle_days: f.pick('补货周期', days(1, 3, 7, 10, 14, 30)),
  },
  validate: orderlyPeriod,
  columns: {
    product_code: goods.product_code,
    product_name: goods.product_name,
    specification_name: goods.specification_name,
    ...unit,
    class_name: f.text('产品分类'),
    department_name: f.text('科室', { orgs: 'H' }),
    hospital_name: f.text('医院', { orgs: 'DV', width: 180 }),
    by_month: f.text('逐月用量', { width: 220 }),
    quantity: f.quantity('合计用量'),
    month_mean: f.quantity('月均用量'),
    day_mean: f.quantity('日均用量'),
    day_peak: f.quantity('单日峰值'),
    variation: f.quantity('波动系数'),
    evenness: f.pick('波动等级', evennesses, { tones: { steady: 'success', rare: 'warning' } }),
    amount: f.amount('使用金额'),
    running_share: f.rate('累计占比'),
    abc: f.pick('ABC分类', classes),
    stock: f.quantity('当前库存'),
    days_of_supply: f.count('可用天数'),
    proposed_low: f.quantity('建议下限'),
    proposed_high: f.quantity('建议上限'),
    low: f.quantity('现行下限', { orgs: 'H' }),
    high: f.quantity('现行上限', { orgs: 'H' }),
  },
  beside: { months: f.text('各月用量') },
  totals: ['quantity', 'amount'],
  trend: {
    title: '逐月用量',
    months: 'months',
    name: ['product_name', 'specification_name', 'department_name', 'hospital_name'],
    unit: 'unit_name',
  },
  calls: { applyLimits: { label: '应用建议上下限', asks: {}, rows: true, orgs: 'H', tone: 'primary' } },
  drillDown: {
    quantity: {
      to: 'usageDetails',
      with: {
        specification_sn: 'specification_sn',
        department_inner_sn: 'department_sn',
        counterparty_sn: 'counterparty_sn',
        begin_date: '=begin_date',
        end_date: '=end_date',
      },
    },
  },
  screens: [
    {
      route: '/commonView/usageStatisticManage',
      title: '使用量统计',
      orgs: 'HDV',
      menu: '报表中心',
      purpose: '按产品与科室或医院统计逐月用量、日均、波动与ABC分类，并给出建议上下限',
      columns: [
        'product_code',
        'product_name',
        'specification_name',
        'unit_name',
        'department_name',
        'hospital_name',
        'by_month',
        'quantity',
        'month_mean',
        'day_mean',
        'day_peak',
        'variation',
        'evenness',
        'amount',
        'running_share',
        'abc',
        'stock',
        'days_of_supply',
        'proposed_low',
        'proposed_high',
        'low',
        'high',
      ],
      keyColumns: [
        'product_name',
        'specification_name',
        'department_name',
        'quantity',
        'evenness',
        'abc',
        'proposed_low',
        'proposed_high',
      ],
      filters: [],
    },
  ],
})
