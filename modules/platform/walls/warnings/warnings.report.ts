import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { wallDays } from '#modules/platform/walls/wall-days.ts'

const categories = {
  CERTIFICATIONEARLY: '资质',
  PRODUCTREGISTRATION: '注册证',
  PRODUCTEXPIRY: '效期',
  PRODUCTINVENTORY: '库存',
} as const
const bands = {
  expired: '已过期',
  missing: '缺证照',
  month: '30天内',
  quarter: '31-90天',
  half: '90天以上',
  none: '零库存',
  low: '低于下限',
  high: '高于上限',
  idle: '呆滞',
  held: '停售待定',
} as const
const urgencies = { red: '红色', orange: '橙色', yellow: '黄色' } as const

/** The filters of the wall of one category; an unknown category is all of them. */
export const warningFilters = {
  type: f.pick('预警类型', categories),
  urgency: f.pick('级别', urgencies),
  warehouse_model_inner_sn: f.ref('仓库', 'warehouse'),
} as const

/** The open warnings of the warning centre, a row a warning, the shortest time left first. */
export const openWarnings = defineReport({
  kind: 'wallOpenWarnings',
  title: '待处理预警',
  sqlFile: 'platform/walls/warnings/open-warnings.sql',
  parameters: { ...warningFilters, band: f.pick('程度', bands) },
  columns: {
    category: f.pick('预警类型', categories),
    band: f.pick('级别', bands),
    urgency: f.pick('级别', urgencies),
    first_at: f.instant('发现时间'),
    object_name: f.text('对象'),
    code: f.text('编号/批号'),
    place: f.text('仓库/机构'),
    expiry_date: f.day('有效期至'),
    days_left: f.count('剩余天数'),
    quantity: f.quantity('数量'),
    threshold: f.quantity('上/下限'),
    proposed: f.quantity('建议补货'),
    warnings: f.count('预警'),
  },
  screens: [],
})

/** 最新预警: the same warnings, those that were found last first. */
export const latestWarnings = defineReport({
  kind: 'wallLatestWarnings',
  title: '最新预警',
  sqlFile: 'platform/walls/warnings/latest-warnings.sql',
  parameters: {},
  columns: {
    first_at: f.instant('时间'),
    category: f.pick('类型', categories),
    object_name: f.text('对象'),
    place: f.text('仓库/机构'),
    days_left: f.count('剩余天数'),
  },
  screens: [],
})

/** 温湿度/设备报警: what devices reported and nobody settled yet, the newest first. */
export const deviceAlarms = defineReport({
  kind: 'wallDeviceAlarms',
  title: '温湿度/设备报警',
  sqlFile: 'platform/walls/warnings/device-alarms.sql',
  parameters: {},
  columns: {
    last_at: f.instant('时间'),
    alarm: f.pick('报警', { climate: '温湿度超限', offline: '设备离线', door: '柜门未关' }),
    object_name: f.text('设备'),
    place: f.text('仓库'),
    description: f.text('说明', { width: 260 }),
    alarms: f.count('报警'),
  },
  screens: [],
})

/** 预警趋势: the number of warnings open at the end of each day; for today those that are open now. */
export const warningDays = defineReport({
  kind: 'wallWarningDays',
  title: '预警趋势',
  sqlFile: 'platform/walls/warnings/warning-days.sql',
  wholeOnly: 'counts of the whole organisation by day name neither stores nor departments',
  parameters: { ...wallDays, category: f.pick('预警类型', categories) },
  columns: { day: f.day('日期'), open_count: f.count('待处理') },
  screens: [],
})

/** 处理率: warnings that were found in the period, and those of them that were settled or gone within seven days. */
export const handledWarnings = defineReport({
  kind: 'wallHandledWarnings',
  title: '处理率',
  sqlFile: 'platform/walls/warnings/handled-warnings.sql',
  parameters: { ...wallDays },
  columns: {
    category: f.pick('预警类别', categories),
    object_name: f.text('对象名称', { width: 260 }),
    code: f.text('编号', { width: 168 }),
    warehouse_name: f.text('仓库'),
    first_at: f.instant('首次预警时间'),
    settled_at: f.instant('处理或解除时间'),
    state: f.pick('处理状态', { open: '待处理', handled: '已处理', ignored: '已忽略', closed: '已消除' }),
    raised: f.count('新增', { hint: '期间内新产生的预警' }),
    handled: f.count('7天内处理', { hint: '其中7天内处理或解除的预警' }),
  },
  totals: ['raised', 'handled'],
  screens: [
    {
      route: '/commonView/warning',
      title: '预警中心',
      orgs: 'HDV',
      menu: '预警中心',
      tab: '处理时效',
      purpose: '期间内新产生的每条预警，及其是否在7天内处理或解除',
      columns: [
        'category',
        'object_name',
        'code',
        'warehouse_name',
        'first_at',
        'settled_at',
        'state',
        'raised',
        'handled',
      ],
      filters: [],
    },
  ],
})
