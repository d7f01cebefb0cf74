import { compare, type Decimal } from '#kernel/values/decimal.ts'
import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'

const atMost = (one: Decimal | null, other: Decimal | null): boolean => compare(one ?? '0', other ?? '0') <= 0
const shown = [
  'warehouse_model_inner_sn',
  'specification_sn',
  'product_name',
  'unit_name',
  'min_quantity',
  'reorder_point',
  'max_quantity',
  'stock',
  'used_30_days',
  'location',
  'status',
] as const

/**
 * 仓库产品: what a warehouse may hold of a specification, between which limits, at which location, and from which
 * warehouse it is refilled.
 */
export const warehouseProduct = defineEntity({
  kind: 'warehouseProduct',
  title: '仓库产品',
  table: 'warehouse_product',
  key: 'warehouse_product_sn',
  scope: 'organisation',
  display: 'specification_sn',
  unique: [['warehouse_model_inner_sn', 'specification_sn']],
  fields: {
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }),
    specification_sn: f.ref('规格型号', 'specification', {
      required: true,
      shows: { specification_code: 'code', unit_name: 'unit_name' },
    }),
    min_quantity: f.quantity('下限', { required: true, min: '0', default: '0' }),
    reorder_point: f.quantity('补货点', { required: true, min: '0', default: '0' }),
    max_quantity: f.quantity('上限', { required: true, min: '0' }),
    replenishment: f.pick('补货方式', { levels: '上下限', packs: '定数包', manual: '人工申领' }, { default: 'levels' }),
    source_warehouse_sn: f.ref('供货仓库', 'warehouse', { named: 'it is asked for goods' }),
    location: f.text('货位', { max: 40 }),
    pack_size: f.quantity('定数包规格', { min: '0' }),
    used_on_receipt: f.flag('领用即消耗', { default: false }),
    single_limit: f.quantity('单次申领上限', { min: '0' }),
    month_quota: f.quantity('月度定额', { min: '0' }),
    limits_since: f.instant('上下限生效时间', { readOnly: true }),
    status: statusField,
  },
  extras: {
    product_name: f.text('产品名称', { width: 200 }),
    manufacturer_name: f.text('生产厂家', { width: 180 }),
    custom_type: f.text('产品分类'),
    is_high_value: f.flag('高值'),
    managed_by: f.pick('管理方式', { lot: '批次', unit: '一物一码' }),
    has_stock: f.pick('有无库存', { 1: '有库存', 0: '无库存' }),
    stock: f.quantity('当前库存'),
    used_30_days: f.quantity('近30天用量'),
  },
  guards: [
    row =>
      (atMost(row.min_quantity, row.reorder_point) && atMost(row.reorder_point, row.max_quantity)) ||
      '补货点应在上下限之间',
  ],
  calls: {
    setLimit: {
      label: '批量设置上下限',
      asks: {
        least: f.quantity('下限', { required: true, min: '0' }),
        point: f.quantity('补货点', { required: true, min: '0' }),
        most: f.quantity('上限', { required: true, min: '0' }),
      },
      rows: true,
    },
    calcLimit: {
      label: '按用量测算',
      asks: {
        supply_days: f.count('供货天数', { required: true, min: '0', max: 365 }),
        safety_days: f.count('安全天数', { required: true, min: '0', max: 365 }),
        cycle_days: f.count('补货周期(天)', { required: true, min: '1', max: 365 }),
        save: f.flag('保存测算结果', { default: false, hint: '不勾选时只显示测算结果，不改动上下限' }),
      },
      rows: true,
    },
    setShelf: { label: '批量设置货位', asks: { place: f.text('货位', { required: true, max: 40 }) }, rows: true },
    copyTo: {
      label: '复制到仓库',
      asks: { target_sn: f.ref('目标仓库', 'warehouse', { required: true }) },
      rows: true,
    },
    replenish: { label: '生成补货申领', asks: {}, tone: 'primary' },
  },
  search: ['specification_name', 'location'],
  screens: [
    {
      route: '/commonView/inventory',
      title: '库存查询',
      orgs: 'HDV',
      menu: '库存管理',
      tab: '上下限',
      purpose: '各仓库、规格的上限、下限与补货点；低于下限时预警',
      columns: [...shown],
      filters: ['warehouse_model_inner_sn', 'specification_sn', 'location', 'status'],
      actions: ['add', 'edit', 'del', 'enable', 'disable', 'setLimit', 'setShelf', 'copyTo'],
    },
    {
      route: '/hospital/warehouseProducts',
      title: '仓库产品',
      orgs: 'H',
      menu: '产品管理',
      purpose: '各库房可存放的产品，及上下限、补货点、补货方式与货位',
      columns: [
        'warehouse_model_inner_sn',
        'specification_code',
        ...shown.slice(1, 4),
        'manufacturer_name',
        'is_high_value',
        'managed_by',
        ...shown.slice(4, 9),
        'pack_size',
        'replenishment',
        'source_warehouse_sn',
        'used_on_receipt',
        'location',
        'status',
      ],
      filters: [
        'warehouse_model_inner_sn',
        'specification_sn',
        'product_name',
        'manufacturer_name',
        'custom_type',
        'is_high_value',
        'replenishment',
        'location',
        'has_stock',
        'status',
      ],
    },
  ],
})
