import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { censusKeys, censusParams, orderlyDays } from '#modules/trade/licences/sharing/grant-statistics.ts'
import { purposes } from '#modules/trade/licences/sharing/licence-application.doc.ts'

const unscoped = 'licences belong to the organisation, not to a warehouse or department'

const application = {
  unscoped,
  title: '证照申请统计',
  parameters: {
    ...censusParams,
    purpose: f.pick('申请用途', purposes),
    state: f.pick('状态', {
      submitted: '待对方处理',
      partial: '部分授权',
      reviewed: '已授权',
      rejected: '已拒绝',
      stopped: '已到期',
    }),
  },
  validate: orderlyDays,
  columns: {
    ...censusKeys,
    applications: f.count('申请单数'),
    asked: f.count('申请证照数'),
    granted: f.count('已授权数'),
    refused: f.count('已拒绝数'),
    waiting: f.count('待处理数'),
    ended: f.count('已到期数'),
    grant_rate: f.rate('授权率'),
    average_hours: f.quantity('平均处理时长(小时)'),
    longest_days: f.count('最长未处理天数'),
    last_asked: f.instant('最近申请时间'),
  },
  totals: ['asked', 'granted', 'refused', 'waiting', 'ended'],
} as const
const applied = {
  route: '/commonView/applyCensus',
  title: '证照申请统计',
  orgs: 'HDV',
  menu: '证照管理',
  columns: Object.keys(application.columns) as (keyof typeof application.columns)[],
  filters: [],
} as const

/** 证照申请统计: requested, granted, refused and open licences, and how long answers take. */
export const licenceApplicationCensus = defineReport({
  ...application,
  kind: 'licenceApplicationCensus',
  countedDocument: 'licenceApplication',
  sqlFile: 'trade/licences/sharing/licence-application-census.sql',
  drillDown: { applications: { to: 'licenceApplication', with: { partner_sn: 'partner_sn' } } },
  screens: [
    {
      ...applied,
      tab: '我申请的',
      leads: true,
      purpose: '本机构向各机构申请的证照：授权率 = 已授权 ÷（已授权 + 已拒绝），处理时长从提交算到答复',
    },
  ],
})

/** The same for requests from others to us. */
export const licenceApplicationAnswers = defineReport({
  ...application,
  kind: 'licenceApplicationAnswers',
  sqlFile: 'trade/licences/sharing/licence-application-answers.sql',
  drillDown: { applications: { to: 'licenceApplication', with: { counterparty_sn: 'partner_sn' } } },
  screens: [{ ...applied, tab: '向我申请的', purpose: '各机构向本机构申请的证照和本机构的答复速度' }],
})

const grant = {
  unscoped,
  title: '证照授权统计',
  parameters: {
    ...censusParams,
    ends_by: f.day('授权期限至不晚于'),
    standing: f.pick('授权状态', { live: '生效中', ended: '已到期', withdrawn: '已撤销' }),
  },
  validate: orderlyDays,
  columns: {
    ...censusKeys,
    granted: f.count('授权证照数'),
    live: f.count('生效中'),
    ending: f.count('即将到期'),
    ended: f.count('已到期'),
    withdrawn: f.count('已撤销'),
    views: f.count('查看次数'),
    prints: f.count('打印次数'),
    last_look: f.instant('最近查看时间'),
    first_end: f.day('最早到期日'),
    coverage: f.rate('覆盖率'),
  },
  totals: ['granted', 'live', 'ending', 'ended', 'withdrawn', 'views', 'prints'],
} as const
const given = {
  route: '/commonView/empowerCensus',
  title: '证照授权统计',
  orgs: 'HDV',
  menu: '证照管理',
  columns: Object.keys(grant.columns) as (keyof typeof grant.columns)[],
  filters: [],
} as const

/** 证照授权统计: which partners hold which of our licences until when, and how often they viewed them. */
export const licenceEmpowerCensus = defineReport({
  ...grant,
  kind: 'licenceEmpowerCensus',
  countedDocument: 'licenceEmpower',
  sqlFile: 'trade/licences/sharing/licence-empower-census.sql',
  drillDown: { granted: { to: 'licenceEmpower', with: { partner_sn: 'partner_sn' } } },
  screens: [
    {
      ...given,
      tab: '我授权的',
      leads: true,
      purpose: '各机构获得本机构证照授权与查看次数；授权证照数 = 生效中 + 已到期 + 已撤销',
    },
  ],
})

/** The same for licences granted to us. */
export const licenceEmpowerHeld = defineReport({
  ...grant,
  kind: 'licenceEmpowerHeld',
  sqlFile: 'trade/licences/sharing/licence-empower-held.sql',
  drillDown: { granted: { to: 'licenceEmpower', with: { counterparty_sn: 'partner_sn' } } },
  screens: [
    {
      ...given,
      tab: '授权给我的',
      purpose: '各机构授权给本机构的证照；覆盖率 = 生效中的必备类型 ÷ 要求该机构提供的类型',
    },
  ],
})
