import { defineWall } from '#kernel/wall/wall-definition.ts'
import { backlog, liveFlow } from '#modules/platform/walls/overview/overview.report.ts'
import { grants, receipts, stock, uses } from '#modules/platform/walls/readings.ts'
import { wallScreen } from '#modules/platform/walls/wall-screen.ts'
import { warningSummary } from '#modules/goods/warnings/warning-figures.report.ts'

/** The figures of goods that came in or went out today: money large, pieces below, both against yesterday. */
const today = [
  { label: '金额(元)', of: 'today', column: 'amount', changes: true },
  { label: '件数', of: 'today', column: 'quantity', changes: true },
] as const

const inStock = '在库货物有多少种规格，不含在途'

/** 运营总览: receipts, stock and uses, and where attention is needed. */
export const overviewWall = defineWall({
  kind: 'screenOverview',
  screen: wallScreen('index', '运营总览大屏', '入库、库存、使用与预警一屏总览'),
  refresh: 60,
  ofDays: true,
  filters: {},
  cards: [
    {
      name: 'received',
      title: '今日入库',
      at: [0, 0, 5, 3],
      reads: { today: { ...receipts, span: 'today', against: ['previous'] } },
      draws: { form: 'numbers', figures: today },
      leads: { to: 'screenMoney' },
    },
    {
      name: 'granted',
      title: '今日发放',
      at: [5, 0, 5, 3],
      reads: { today: { ...grants, span: 'today', against: ['previous'] } },
      draws: { form: 'numbers', figures: today },
      leads: { to: 'screenDepartment' },
    },
    {
      name: 'used',
      title: '今日使用',
      at: [10, 0, 5, 3],
      reads: { today: { ...uses, span: 'today', against: ['previous'] } },
      draws: { form: 'numbers', figures: today },
      leads: { to: 'screenDepartment' },
    },
    {
      name: 'stock',
      title: '当前库存',
      at: [15, 0, 9, 3],
      reads: { stock: { ...stock, by: ['ownership'] } },
      draws: {
        form: 'numbers',
        figures: [
          { label: '买断库存金额(元)', of: 'stock', column: 'amount', where: { ownership: 'own' } },
          { label: '买断件数', of: 'stock', column: 'quantity', where: { ownership: 'own' } },
          { label: '买断规格', of: 'stock', column: 'specification_sn', where: { ownership: 'own' }, hint: inStock },
          { label: '寄售金额(元)', of: 'stock', column: 'amount', where: { ownership: 'consigned' } },
          { label: '寄售件数', of: 'stock', column: 'quantity', where: { ownership: 'consigned' } },
          {
            label: '寄售规格',
            of: 'stock',
            column: 'specification_sn',
            where: { ownership: 'consigned' },
            hint: inStock,
          },
        ],
      },
      leads: { to: 'screenProduct' },
    },
    {
      name: 'trend',
      title: '采购与消耗趋势',
      at: [0, 3, 12, 4],
      reads: {
        received: { ...receipts, span: 'year', step: ['day', 'month'] },
        used: { ...uses, span: 'year', step: ['used_on', 'month'] },
      },
      draws: {
        form: 'lines',
        series: [
          { label: '采购入库', of: 'received', value: 'amount' },
          { label: '使用', of: 'used', value: 'amount' },
        ],
      },
      leads: { to: 'screenMoney' },
    },
    {
      name: 'classes',
      title: '高值/低值/试剂占比',
      at: [12, 3, 6, 4],
      reads: { classes: { ...uses, span: 'asked', by: ['value_class'] } },
      draws: { form: 'ring', of: 'classes', label: 'value_class', values: ['amount', 'quantity'] },
      leads: { to: 'screenProduct' },
    },
    {
      name: 'warnings',
      title: '四类预警',
      at: [18, 3, 6, 4],
      reads: { open: { of: warningSummary, span: 'now', by: ['category'], sums: ['open', 'danger'] } },
      draws: {
        form: 'tiles',
        of: 'open',
        label: 'category',
        values: ['open'],
        tones: { PRODUCTEXPIRY: 'danger', PRODUCTINVENTORY: 'warning' },
      },
      leads: { to: 'screenWarning' },
    },
    {
      name: 'departments',
      title: '科室消耗TOP10',
      at: [0, 7, 5, 5],
      reads: {
        departments: { ...uses, span: 'asked', by: ['department_name', 'department_sn'], take: 10 },
      },
      draws: { form: 'bars', of: 'departments', label: 'department_name', values: ['amount', 'quantity'] },
      leads: { to: 'screenDepartmentDetail', with: { dept: 'department_sn' } },
    },
    {
      name: 'suppliers',
      title: '供应商供货TOP10',
      at: [5, 7, 5, 5],
      reads: {
        suppliers: {
          ...receipts,
          span: 'asked',
          by: ['counterparty_name', 'counterparty_sn'],
          take: 10,
          partner: 'counterparty_sn',
        },
      },
      draws: { form: 'bars', of: 'suppliers', label: 'counterparty_name', values: ['amount', 'quantity'] },
      leads: { to: 'screenDealer' },
    },
    {
      name: 'backlog',
      title: '待办积压',
      at: [10, 7, 4, 5],
      reads: {
        backlog: {
          of: backlog,
          span: 'now',
          by: ['document_kind'],
          sums: ['waiting'],
          maxima: { oldest_hours: 'oldest_hours' },
          take: 24,
        },
      },
      draws: {
        form: 'list',
        of: 'backlog',
        columns: ['document_kind', 'waiting', 'oldest_hours'],
        empty: '没有待审核的单据',
      },
      leads: { to: 'screenProcess' },
    },
    {
      name: 'flow',
      title: '实时流转',
      at: [14, 7, 10, 5],
      reads: {
        flow: {
          of: liveFlow,
          span: 'now',
          rows: ['at', 'document_kind', 'product_name', 'lot_no', 'from_place', 'to_place', 'document_sn'],
          take: 20,
        },
      },
      draws: {
        form: 'list',
        of: 'flow',
        columns: ['at', 'document_kind', 'product_name', 'lot_no', 'from_place', 'to_place'],
        empty: '今日没有流转',
      },
      leads: { to: 'screenProcess', with: { code: 'document_sn' } },
    },
  ],
})
