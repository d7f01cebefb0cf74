import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { categories } from '#modules/goods/warnings/warning.entity.ts'

const page = { route: '/commonView/warning', title: '预警中心', orgs: 'HDV', menu: '预警中心' } as const

/** 预警概况: how many causes of each category are open, how urgent they are, and which goods they concern. */
export const warningSummary = defineReport({
  kind: 'warningSummary',
  title: '预警概况',
  sqlFile: 'goods/warnings/warning-summary.sql',
  parameters: { category: f.pick('预警类别', categories), warehouse_model_inner_sn: f.ref('仓库', 'warehouse') },
  columns: {
    category: f.pick('预警类别', categories),
    open: f.count('待处理', { hint: '尚未处理、也没有自行解除的预警' }),
    danger: f.count('已过期/零库存'),
    urgent: f.count('30天内/低于下限', { hint: '30天内到期、低于下限、停售待定或缺必备证照的' }),
    within_90: f.count('31-90天'),
    later: f.count('90天以上'),
    high: f.count('高于上限'),
    idle: f.count('呆滞'),
    specifications: f.count('涉及规格'),
    quantity: f.quantity('涉及数量'),
    amount: f.cost('涉及金额'),
  },
  totals: ['open', 'danger', 'urgent'],
  drillDown: { open: { to: 'warning', with: { category: 'category', state: 'state' } } },
  screens: [
    {
      ...page,
      tab: '预警概况',
      purpose: '四类预警的待处理数、紧急程度与涉及货物',
      columns: [
        'category',
        'open',
        'danger',
        'urgent',
        'within_90',
        'later',
        'high',
        'idle',
        'specifications',
        'quantity',
        'amount',
      ],
      filters: [],
    },
  ],
})

/** 近12月到期趋势: the stock by month of expiry, this month and the eleven after it. */
export const warningTrend = defineReport({
  kind: 'warningTrend',
  title: '近12月到期趋势',
  sqlFile: 'goods/warnings/warning-trend.sql',
  parameters: { warehouse_model_inner_sn: f.ref('仓库', 'warehouse') },
  columns: {
    month: f.text('到期月份'),
    lots: f.count('批号数'),
    quantity: f.quantity('库存数量'),
    amount: f.cost('库存金额'),
  },
  totals: ['lots', 'quantity', 'amount'],
  drillDown: {
    lots: { to: 'stockBalance', with: { begin_expiry_date: 'first_day', end_expiry_date: 'last_day' } },
  },
  screens: [
    {
      ...page,
      tab: '到期趋势',
      purpose: '未来12个月每月到期的库存：批号、数量与金额',
      columns: ['month', 'lots', 'quantity', 'amount'],
      filters: [],
    },
  ],
})

/** 待处理预警排行: whose warehouses have open warnings, the longest waiting first. */
export const warningDuty = defineReport({
  kind: 'warningDuty',
  title: '待处理预警排行',
  sqlFile: 'goods/warnings/warning-duty.sql',
  parameters: { category: f.pick('预警类别', categories) },
  columns: {
    responsible: f.text('负责人'),
    open: f.count('待处理', { hint: '尚未处理、也没有自行解除的预警' }),
    danger: f.count('已过期/零库存'),
    oldest_at: f.instant('最早预警时间'),
    oldest_days: f.count('已等待(天)'),
  },
  totals: ['open', 'danger'],
  drillDown: { open: { to: 'warning', with: { responsible: 'responsible', state: 'state' } } },
  screens: [
    {
      ...page,
      tab: '待处理排行',
      purpose: '按负责人统计待处理的预警，按等待时长降序；负责人是仓库的负责人，与仓库无关的归“未指定”',
      columns: ['responsible', 'open', 'danger', 'oldest_at', 'oldest_days'],
      filters: [],
    },
  ],
})
