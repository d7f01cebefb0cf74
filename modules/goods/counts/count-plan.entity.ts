import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'

const days = (label: string, preset: number) =>
  f.count(label, { required: true, min: '1', max: 365, default: preset, hint: '两次盘点的最长间隔' })
const share = (label: string, preset: number) =>
  f.count(label, { required: true, min: '1', max: 98, default: preset, hint: '按近一年出库金额由高到低累计' })

/**
 * 盘点计划: cycle counting of a store. Goods are classed by the value that moved in a year; on the plan's days, goods that
 * were not counted for the interval of their class get a count.
 */
export const countPlan = defineEntity({
  kind: 'countPlan',
  title: '盘点计划',
  table: 'count_plan',
  key: 'count_plan_sn',
  scope: 'organisation',
  display: 'name',
  unique: [['name']],
  fields: {
    name: f.text('计划名称', { required: true, max: 40 }),
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }),
    take_method: f.pick('盘点方式', { open: '明盘', blind: '盲盘' }, { required: true, default: 'blind' }),
    share_a: share('A类金额占比(%)', 80),
    share_b: share('B类金额占比(%)', 15),
    days_a: days('A类周期(天)', 30),
    days_b: days('B类周期(天)', 90),
    days_c: days('C类周期(天)', 180),
    calendar: f.pick(
      '盘点日',
      { daily: '每天', workdays: '周一至周五', weekly: '每周一', monthly: '每月1日' },
      { required: true, default: 'workdays' },
    ),
    most_goods: f.count('每次最多品规数', { required: true, min: '1', max: 500, default: 50 }),
    last_on: f.day('上次生成日期', { readOnly: true }),
    last_count_no: f.text('上次盘点单号', { readOnly: true }),
    status: statusField,
  },
  extras: {
    goods_a: f.count('A类品规数'),
    goods_b: f.count('B类品规数'),
    goods_c: f.count('C类品规数'),
    due_goods: f.count('到期品规数'),
  },
  guards: [row => (row.share_a ?? 0) + (row.share_b ?? 0) < 100 || 'A类与B类占比之和应小于100'],
  actions: {
    generate: { label: '立即生成', tone: 'primary' },
  },
  search: ['name'],
  screens: [
    {
      route: '/commonView/inventory',
      title: '库存查询',
      orgs: 'HDV',
      menu: '库存管理',
      tab: '盘点计划',
      purpose: '循环盘：按ABC分类和盘点日自动生成到期品规的盘点单',
      columns: [
        'name',
        'warehouse_model_inner_sn',
        'take_method',
        'calendar',
        'days_a',
        'days_b',
        'days_c',
        'goods_a',
        'goods_b',
        'goods_c',
        'due_goods',
        'last_on',
        'last_count_no',
        'status',
      ],
      filters: ['name', 'warehouse_model_inner_sn', 'status'],
      actions: ['add', 'edit', 'del', 'enable', 'disable', 'generate'],
    },
  ],
})
