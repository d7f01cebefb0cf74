import { compare } from '#kernel/values/decimal.ts'
import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'
import { areaKinds, storageConditions } from '#modules/base/vocabulary/storage-conditions.ts'

const inOrder = (low: string | null, high: string | null): boolean =>
  low === null || high === null || compare(low, high) <= 0

/** 库区: a part of a warehouse for goods of one quality under one storage condition. Its shelves inherit both. */
export const storeArea = defineEntity({
  kind: 'storeArea',
  title: '库区',
  table: 'store_area',
  key: 'store_area_sn',
  scope: 'organisation',
  writers: 'HDV',
  display: 'name',
  sort: 'warehouse_model_inner_sn,code',
  labelled: 'area',
  prints: [
    { route: '/newprint/QrcodePrint', label: '打印库区码' },
    { route: '/newprint/BarCodePrint', label: '打印库区条码' },
  ],
  fields: {
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }),
    code: f.text('库区编码', {
      required: true,
      max: 10,
      match: /^[A-Z0-9]{1,4}$/,
      matchMsg: '库区编码应为1到4位大写字母或数字',
    }),
    name: f.text('库区名称', { required: true, max: 40 }),
    area_kind: f.pick('库区类型', areaKinds, { required: true, default: 'qualified', width: 150 }),
    storage_condition: f.pick('贮存条件', storageConditions, { required: true, default: 'normal' }),
    temperature_min: f.quantity('温度下限(℃)', { min: '-90', max: '90', hint: '留空按贮存条件判断' }),
    temperature_max: f.quantity('温度上限(℃)', { min: '-90', max: '90' }),
    humidity_min: f.quantity('湿度下限(%)', { min: '0', max: '100' }),
    humidity_max: f.quantity('湿度上限(%)', { min: '0', max: '100' }),
    remark: f.text('备注', { max: 200 }),
    status: statusField,
  },
  extras: {
    shelf_count: f.count('货架数'),
    place_count: f.count('货位数'),
    stock: f.quantity('当前库存数'),
  },
  unique: [['warehouse_model_inner_sn', 'code']],
  guards: [
    row => inOrder(row.temperature_min, row.temperature_max) || '温度下限不能大于上限',
    row => inOrder(row.humidity_min, row.humidity_max) || '湿度下限不能大于上限',
  ],
  search: ['code', 'name', 'warehouse_name'],
  screens: [
    {
      route: '/commonView/warehouseModeling',
      tab: '库区',
      title: '仓库建模',
      orgs: 'HDV',
      menu: '基础设置',
      purpose: '各仓库的库区：存放货物的质量状态、贮存条件与温湿度范围；货架随库区',
      columns: [
        'warehouse_model_inner_sn',
        'code',
        'name',
        'area_kind',
        'storage_condition',
        'temperature_min',
        'temperature_max',
        'humidity_min',
        'humidity_max',
        'shelf_count',
        'place_count',
        'stock',
        'status',
        'remark',
      ],
      filters: ['warehouse_model_inner_sn', 'code', 'name', 'area_kind', 'storage_condition', 'status'],
    },
  ],
})
