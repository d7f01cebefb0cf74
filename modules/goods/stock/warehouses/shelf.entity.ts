import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'
import { areaKinds, storageConditions } from '#modules/base/vocabulary/storage-conditions.ts'

const page = { route: '/hospital/goodsShelvesManage', title: '货架货位管理', orgs: 'H', menu: '基础设置' } as const
/** Beside the warehouse page, where organisations of every kind maintain them. */
const modelling = { route: '/commonView/warehouseModeling', title: '仓库建模', orgs: 'HDV', menu: '基础设置' } as const
const shelfScreen = {
  tab: '货架',
  purpose: '各库房的库区与货架：储存条件、层列、拣货顺序；按层列生成货位',
  columns: [
    'warehouse_model_inner_sn',
    'area',
    'area_kind',
    'code',
    'name',
    'shelf_type',
    'layers',
    'columns_count',
    'storage_condition',
    'place_count',
    'used_count',
    'stock',
    'pick_order',
    'status',
  ],
  filters: ['warehouse_model_inner_sn', 'area', 'area_kind', 'code', 'storage_condition', 'status'],
} as const
const placeScreen = {
  tab: '货位',
  purpose: '每个货位绑定的产品、批次与库存；打印货位码，点亮电子标签',
  columns: [
    'code',
    'warehouse_model_inner_sn',
    'area',
    'area_kind',
    'shelf_sn',
    'layer',
    'column_no',
    'storage_condition',
    'specification_sn',
    'product_name',
    'lot_count',
    'stock',
    'capacity',
    'is_fixed',
    'tag_no',
    'lit_at',
    'status',
  ],
  filters: ['warehouse_model_inner_sn', 'area', 'code', 'storage_condition', 'product_name', 'is_used', 'status'],
  actions: ['edit', 'enable', 'disable', 'bind', 'unbind', 'lamp', 'print'],
} as const

/** 货架: the shelves of a warehouse by area; its locations are created layer by layer. */
export const shelf = defineEntity({
  kind: 'shelf',
  title: '货架',
  table: 'shelf',
  key: 'shelf_sn',
  scope: 'organisation',
  writers: 'HDV',
  display: 'code',
  sort: 'warehouse_model_inner_sn,area,pick_order,code',
  fields: {
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }),
    area: f.text('库区', {
      required: true,
      max: 10,
      match: /^[A-Z0-9]{1,4}$/,
      matchMsg: '库区应为1到4位大写字母或数字',
    }),
    area_kind: f.pick('质量分区', areaKinds, { required: true, default: 'qualified', width: 150 }),
    code: f.text('货架编号', { required: true, max: 2, match: /^\d{1,2}$/, matchMsg: '货架编号应为1到2位数字' }),
    name: f.text('货架名称', { max: 40 }),
    shelf_type: f.pick(
      '货架类型',
      { plain: '普通', cold: '冷藏', high_value: '高值柜', gravity: '重力架' },
      { default: 'plain' },
    ),
    layers: f.count('层数', { required: true, min: '1', max: 99, default: 1 }),
    columns_count: f.count('列数', { required: true, min: '1', max: 99, default: 1 }),
    storage_condition: f.pick('储存条件', storageConditions, { required: true, default: 'normal' }),
    pick_order: f.count('拣货顺序', { min: '0', max: 9999, default: 0 }),
    remark: f.text('备注', { max: 200 }),
    status: statusField,
  },
  extras: { place_count: f.count('货位数'), used_count: f.count('已用货位数'), stock: f.quantity('当前库存数') },
  unique: [['warehouse_model_inner_sn', 'area', 'code']],
  search: ['code', 'name', 'area', 'warehouse_name'],
  actions: { generate: { label: '生成货位', tone: 'primary' } },
  screens: [
    { ...page, ...shelfScreen, leads: true },
    { ...modelling, ...shelfScreen },
  ],
})

/** 货位: a location on a shelf. Its code is the location in documents and stock, and on its label. */
export const shelfPlace = defineEntity({
  kind: 'shelfPlace',
  title: '货位',
  table: 'shelf_place',
  key: 'shelf_place_sn',
  scope: 'organisation',
  writers: 'HDV',
  display: 'code',
  sort: 'code',
  labelled: 'place',
  prints: [
    { route: '/newprint/QrcodePrint', label: '打印货位码' },
    { route: '/newprint/BarCodePrint', label: '打印货位条码' },
  ],
  fields: {
    shelf_sn: f.ref('货架', 'shelf', { readOnly: true }),
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { readOnly: true }),
    layer: f.count('层', { readOnly: true }),
    column_no: f.count('列', { readOnly: true }),
    code: f.text('货位编码', { readOnly: true }),
    specification_sn: f.ref('绑定产品', 'specification'),
    is_fixed: f.flag('固定存放', { default: false }),
    capacity: f.quantity('容量上限', { min: '0' }),
    tag_no: f.text('电子标签编号', { max: 40 }),
    lit_at: f.instant('点亮时间', { readOnly: true }),
    status: statusField,
  },
  extras: {
    area: f.text('库区'),
    area_kind: f.pick('质量分区', areaKinds, { width: 150 }),
    storage_condition: f.pick('储存条件', storageConditions),
    product_name: f.text('产品名称', { width: 180 }),
    lot_count: f.count('批次数'),
    stock: f.quantity('当前库存数'),
    is_used: f.flag('是否占用'),
  },
  search: ['code', 'product_name', 'tag_no'],
  actions: { unbind: { label: '解绑' } },
  calls: {
    bind: {
      label: '绑定产品',
      asks: { specification_sn: f.ref('规格型号', 'specification', { required: true }) },
      rows: true,
    },
    lamp: { label: '点亮标签', asks: {}, rows: true },
  },
  screens: [
    { ...page, ...placeScreen },
    { ...modelling, ...placeScreen },
  ],
})
