import { defineWall, type WallCard } from '#kernel/wall/wall-definition.ts'
import { detailScreen, wallScreen } from '#modules/platform/walls/wall-screen.ts'
import {
  deviceAlarms,
  handledWarnings,
  latestWarnings,
  openWarnings,
  warningDays,
  warningFilters,
} from '#modules/platform/walls/warnings/warnings.report.ts'
import { warningSummary } from '#modules/goods/warnings/warning-figures.report.ts'

const tones = {
  expired: 'danger',
  none: 'danger',
  month: 'warning',
  low: 'warning',
  missing: 'warning',
  held: 'warning',
  quarter: 'info',
  half: 'calm',
  high: 'info',
  idle: 'calm',
} as const
const toDetail = { to: 'screenWarningDetail', with: { type: 'category' } } as const

/** The open warnings of a category by how urgent they are. */
const categoryCard = (column: number, category: string, title: string): WallCard => ({
  name: category,
  title,
  at: [column, 3, 6, 4],
  reads: {
    bands: {
      of: openWarnings,
      span: 'now',
      where: { type: category },
      by: ['band', 'category'],
      sums: ['warnings'],
    },
  },
  draws: { form: 'bars', of: 'bands', label: 'band', values: ['warnings'], tones },
  leads: toDetail,
})

const line = (category: string) => ({
  of: warningDays,
  span: 'month' as const,
  where: { category },
  step: ['day', 'day'] as const,
  sums: ['open_count'],
})

/** 预警信息: all open warnings by kind and urgency; as many as the warning centre counts. */
export const warningsWall = defineWall({
  kind: 'screenWarning',
  screen: wallScreen('productWarningInfo', '预警信息大屏', '四类预警的待处理数、紧急程度、趋势与处理率'),
  refresh: 30,
  ofDays: true,
  filters: {},
  cards: [
    {
      name: 'categories',
      title: '四类预警',
      at: [0, 0, 18, 3],
      reads: { open: { of: warningSummary, span: 'now', by: ['category'], sums: ['open', 'danger'] } },
      draws: {
        form: 'tiles',
        of: 'open',
        label: 'category',
        values: ['open', 'danger'],
        flashes: 'danger',
      },
      leads: toDetail,
    },
    {
      name: 'handled',
      title: '处理率',
      at: [18, 0, 6, 3],
      reads: { handled: { of: handledWarnings, span: 'asked', sums: ['handled', 'raised'] } },
      draws: {
        form: 'gauge',
        part: { label: '7天内处理', of: 'handled', column: 'handled' },
        whole: { label: '新增', of: 'handled', column: 'raised' },
        empty: '—',
      },
    },
    categoryCard(0, 'CERTIFICATIONEARLY', '资质预警'),
    categoryCard(6, 'PRODUCTREGISTRATION', '注册证预警'),
    categoryCard(12, 'PRODUCTEXPIRY', '效期预警'),
    categoryCard(18, 'PRODUCTINVENTORY', '库存预警'),
    {
      name: 'trend',
      title: '预警趋势（30天）',
      at: [0, 7, 9, 5],
      reads: {
        licences: line('CERTIFICATIONEARLY'),
        certificates: line('PRODUCTREGISTRATION'),
        expiry: line('PRODUCTEXPIRY'),
        stock: line('PRODUCTINVENTORY'),
      },
      draws: {
        form: 'lines',
        gaps: true,
        series: [
          { label: '资质', of: 'licences', value: 'open_count' },
          { label: '注册证', of: 'certificates', value: 'open_count' },
          { label: '效期', of: 'expiry', value: 'open_count' },
          { label: '库存', of: 'stock', value: 'open_count' },
        ],
      },
    },
    {
      name: 'latest',
      title: '最新预警',
      at: [9, 7, 9, 5],
      reads: {
        latest: {
          of: latestWarnings,
          span: 'now',
          rows: ['first_at', 'category', 'object_name', 'place', 'days_left'],
          take: 24,
        },
      },
      draws: {
        form: 'list',
        of: 'latest',
        columns: ['first_at', 'category', 'object_name', 'place', 'days_left'],
        empty: '没有待处理的预警',
        counted: true,
      },
      leads: toDetail,
    },
    {
      name: 'alarms',
      title: '温湿度/设备报警',
      at: [18, 7, 6, 5],
      reads: {
        alarms: { of: deviceAlarms, span: 'now', rows: ['last_at', 'alarm', 'object_name'], take: 24 },
      },
      draws: {
        form: 'list',
        of: 'alarms',
        columns: ['last_at', 'alarm', 'object_name'],
        empty: '没有设备报警',
        counted: true,
      },
    },
  ],
})

const everyCategory = { type: '', urgency: '' } as const

/** 预警信息明细: the rows behind one tile, expired first. */
export const warningDetailWall = defineWall({
  kind: 'screenWarningDetail',
  screen: detailScreen('productWarningInfoDetail', '预警信息明细大屏', '一类预警的级别、责任分布与逐条明细'),
  refresh: 30,
  ofDays: false,
  overview: 'screenWarning',
  filters: warningFilters,
  cards: [
    {
      name: 'categories',
      title: '预警类型',
      at: [0, 0, 12, 3],
      reads: { all: { of: openWarnings, span: 'now', where: everyCategory, by: ['category'], sums: ['warnings'] } },
      draws: { form: 'tiles', of: 'all', label: 'category', values: ['warnings'] },
      leads: toDetail,
    },
    {
      name: 'urgencies',
      title: '级别分布',
      at: [12, 0, 6, 3],
      reads: { urgencies: { of: openWarnings, span: 'now', by: ['urgency'], sums: ['warnings'] } },
      draws: {
        form: 'ring',
        of: 'urgencies',
        label: 'urgency',
        values: ['warnings'],
        tones: { red: 'danger', orange: 'warning', yellow: 'info' },
      },
    },
    {
      name: 'places',
      title: '责任分布',
      at: [18, 0, 6, 3],
      reads: { places: { of: openWarnings, span: 'now', by: ['place'], sums: ['warnings'], take: 4 } },
      draws: { form: 'bars', of: 'places', label: 'place', values: ['warnings'] },
    },
    {
      name: 'rows',
      title: '明细',
      at: [0, 3, 24, 9],
      reads: {
        rows: {
          of: openWarnings,
          span: 'now',
          rows: [
            'category',
            'band',
            'object_name',
            'code',
            'place',
            'expiry_date',
            'days_left',
            'quantity',
            'threshold',
            'proposed',
          ],
          take: 150,
        },
      },
      draws: {
        form: 'list',
        of: 'rows',
        columns: [
          'category',
          'band',
          'object_name',
          'code',
          'place',
          'expiry_date',
          'days_left',
          'quantity',
          'threshold',
          'proposed',
        ],
        empty: '没有待处理的预警',
        counted: true,
      },
    },
  ],
})
