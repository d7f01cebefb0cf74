import { defineAnalysis } from '#kernel/definition/analysis.ts'
import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { goods, narrowing, orderlyPeriod, period, unit } from '#modules/platform/reports/item-columns.ts'
import { goodsDimensions, ofGoods } from '#modules/platform/reports/trade/goods-filters.ts'

const abnormalities = {
  low: '低于下限未补货',
  over: '超上限补货',
  short: '发放不足',
  difference: '收发差异',
  late: '超时送达',
  repeated: '重复申领',
  urgent: '虚假加急',
} as const
/** Red for faults that leave a ward without goods; other colours for those that cost work. */
const tones = {
  low: 'danger',
  short: 'danger',
  late: 'danger',
  over: 'warning',
  difference: 'warning',
  repeated: 'info',
  urgent: 'info',
} as const
const causes = { department: '科室', store: '中心库', purchasing: '采购', supplier: '供应商' } as const
const handlings = { open: '未处理', handled: '已处理' } as const

const page = {
  route: '/hospital/restockAbnormalReport',
  title: '补货异常报表',
  orgs: 'H',
  menu: '报表中心',
} as const

/**
 * 补货异常报表: faults in supplying the departments' stores, in base units and hours. 低于下限未补货: qualified stock and goods on
 * their way at or below the lower limit for more than a day while no requisition is open; 超时: past the limits of the
 * rules 加急/常规送达时限. An occurrence is shown in every period in which it lasted; an open one counts to now.
 */
export const restockAbnormal = defineReport({
  kind: 'restockAbnormal',
  title: '补货异常报表',
  beside: {
    department_sn: f.text('科室'),
    is_open: f.flag('是否未完结', { carried: true }),
    lasting: f.count('持续中'),
    handled: f.count('已处理'),
  },
  sqlFile: 'platform/reports/restock/restock-abnormal.sql',
  parameters: {
    ...period,
    department_inner_sn: f.ref('科室', 'department'),
    warehouse_model_inner_sn: narrowing.warehouse_model_inner_sn,
    ...ofGoods,
    abnormality: f.pick('异常类型', abnormalities),
    cause: f.pick('责任环节', causes),
    handling: f.pick('处理状态', handlings),
  },
  validate: orderlyPeriod,
  columns: {
    day: f.day('异常日期'),
    abnormality: f.pick('异常类型', abnormalities, { width: 140, tones }),
    department_name: f.text('科室'),
    warehouse_name: f.text('仓库'),
    ...goods,
    ...unit,
    class_name: f.text('产品分类'),
    min_quantity: f.quantity('下限'),
    max_quantity: f.quantity('上限'),
    stock: f.quantity('发生时库存'),
    coming_quantity: f.quantity('在途数量'),
    claim_sn: f.text('申领单号', { width: 140 }),
    asked_quantity: f.quantity('申领数量'),
    granted_quantity: f.quantity('发放数量'),
    received_quantity: f.quantity('收货数量'),
    begun_at: f.instant('异常时间'),
    ended_at: f.instant('恢复时间'),
    hours: f.quantity('持续时长(h)'),
    cause: f.pick('责任环节', causes),
    handling: f.pick('处理状态', handlings, { tones: { open: 'warning', handled: 'success' } }),
    note: f.text('处理说明', { width: 220 }),
  },
  alerts: { hours: row => (row.is_open === true ? 'open' : null) },
  drillDown: {
    claim_sn: { document: 'claim_kind' },
    min_quantity: {
      to: 'warehouseProduct',
      with: { warehouse_model_inner_sn: 'warehouse_sn', specification_sn: 'specification_sn' },
    },
  },
  calls: {
    handle: {
      label: '登记处理',
      asks: { note: f.longText('处理说明', { required: true, max: 200 }) },
      rows: true,
    },
    toClaim: { label: '生成补货申领', asks: {}, rows: true },
  },
  screens: [
    {
      ...page,
      tab: '异常明细',
      leads: true,
      purpose: '科室库补货中的异常：低于下限未补货、超上限、发放不足、收发差异、超时送达、重复申领、虚假加急',
      columns: [
        'abnormality',
        'department_name',
        'warehouse_name',
        'product_code',
        'product_name',
        'specification_name',
        'unit_name',
        'min_quantity',
        'max_quantity',
        'stock',
        'coming_quantity',
        'claim_sn',
        'asked_quantity',
        'granted_quantity',
        'received_quantity',
        'begun_at',
        'ended_at',
        'hours',
        'cause',
        'handling',
        'note',
      ],
      keyColumns: [
        'abnormality',
        'department_name',
        'product_name',
        'specification_name',
        'begun_at',
        'hours',
        'cause',
        'handling',
      ],
      filters: [],
    },
  ],
})

/** 补货异常统计: how many occurrences of which kind, on how many goods, how long they lasted and how many were handled. */
export const restockAbnormalStat = defineAnalysis({
  kind: 'restockAbnormalStat',
  title: '补货异常统计',
  of: restockAbnormal,
  day: 'day',
  grains: ['day', 'week', 'month'],
  dimensions: {
    abnormality: { key: ['abnormality', 'abnormality'] },
    department_name: { key: ['department_inner_sn', 'department_sn'] },
    cause: { key: ['cause', 'cause'] },
    ...goodsDimensions,
  },
  standard: ['abnormality'],
  columns: {
    occurrence_count: f.count('异常次数'),
    goods_count: f.count('涉及品种数'),
    mean_hours: f.quantity('平均持续时长(h)'),
    handled_count: f.count('已处理'),
    handled_rate: f.rate('处理率'),
    share: f.rate('占比'),
  },
  measures: {
    occurrence_count: { count: 'row_key' },
    goods_count: { count: 'specification_sn' },
    mean_hours: { mean: ['hours', 'lasting'], decimals: 1 },
    handled_count: { sum: 'handled' },
    handled_rate: { ratio: ['handled_count', 'occurrence_count'] },
    share: { share: 'occurrence_count' },
  },
  main: 'occurrence_count',
  screens: [
    { ...page, tab: '异常统计', purpose: '按异常类型、科室、产品或责任环节统计次数、涉及品种、平均持续时长与处理率' },
  ],
})
