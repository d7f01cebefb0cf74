import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { compare } from '#kernel/values/decimal.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'

const page = {
  route: '/hospital/reagentTraceabilityManage',
  title: '试剂追溯',
  orgs: 'H',
  menu: '使用追溯',
} as const

/** 冰箱: where a laboratory keeps its reagents, and how cold it has to be. */
export const refrigerator = defineEntity({
  kind: 'refrigerator',
  title: '冰箱',
  table: 'refrigerator',
  key: 'refrigerator_sn',
  scope: 'organisation',
  writers: 'H',
  display: 'name',
  unique: [['code']],
  search: ['code', 'name'],
  fields: {
    code: f.text('冰箱编号', { required: true, max: 40 }),
    name: f.text('冰箱名称', { required: true, max: 60 }),
    warehouse_model_inner_sn: f.ref('所在仓库', 'warehouse', { required: true }),
    location: f.text('位置', { max: 60 }),
    temperature_min: f.quantity('温度下限(℃)', { min: '-90', max: '90', default: '2' }),
    temperature_max: f.quantity('温度上限(℃)', { min: '-90', max: '90', default: '8' }),
    remark: f.text('备注', { max: 200 }),
    status: statusField,
  },
  extras: {
    bottles: f.count('存放瓶数'),
    last_temperature: f.quantity('最近温度(℃)'),
    last_read_at: f.instant('最近读数时间'),
  },
  guards: [
    row =>
      row.temperature_min === null ||
      row.temperature_max === null ||
      compare(row.temperature_min, row.temperature_max) <= 0 ||
      '温度下限不能大于上限',
  ],
  screens: [
    {
      ...page,
      tab: '冰箱',
      purpose: '存放试剂的冰箱、温度范围和最近读数',
      columns: [
        'code',
        'name',
        'warehouse_model_inner_sn',
        'location',
        'temperature_min',
        'temperature_max',
        'bottles',
        'last_temperature',
        'last_read_at',
        'status',
        'remark',
      ],
      filters: ['q', 'warehouse_model_inner_sn', 'status'],
    },
  ],
})

/** 冰箱温度: readings of refrigerators; one outside the range says what was done about it. */
export const refrigeratorReading = defineEntity({
  kind: 'refrigeratorReading',
  title: '冰箱温度',
  table: 'refrigerator_reading',
  key: 'refrigerator_reading_sn',
  scope: 'organisation',
  writers: 'H',
  display: 'read_at',
  sort: '-read_at,-refrigerator_reading_sn',
  search: ['refrigerator_name', 'recorded_by'],
  tone: row => (row.is_out === true ? 'warning' : undefined),
  fields: {
    refrigerator_sn: f.ref('冰箱', 'refrigerator', { required: true, optionsFilter: { status: 'enabled' } }),
    temperature: f.quantity('温度(℃)', { required: true, min: '-90', max: '90' }),
    is_out: f.flag('超限', { readOnly: true }),
    opinion: f.text('处理意见', { max: 200, hint: '温度超限时必填' }),
    recorded_by: f.text('记录人', { readOnly: true }),
    read_at: f.instant('读数时间', { readOnly: true }),
  },
  screens: [
    {
      ...page,
      tab: '冰箱温度',
      purpose: '冰箱的温度读数；超限的须登记处理意见',
      columns: ['refrigerator_sn', 'temperature', 'is_out', 'opinion', 'recorded_by', 'read_at'],
      filters: ['refrigerator_sn', 'is_out', 'read_at'],
      actions: ['add'],
    },
  ],
})
