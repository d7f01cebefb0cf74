import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { compare, wholePieces } from '#kernel/values/decimal.ts'
import { packTypes } from '#modules/goods/packs/pack-types.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'

/** 定数包模板: how many pieces of which specification make one pack, and whether a ward uses it up by receiving it. */
export const packTemplate = defineEntity({
  kind: 'packTemplate',
  title: '定数包模板',
  table: 'pack_template',
  key: 'pack_template_sn',
  scope: 'organisation',
  writers: 'H',
  display: 'name',
  search: ['name', 'code'],
  unique: [['code'], ['name']],
  fields: {
    code: f.text('模板编码', { required: true, max: 20 }),
    name: f.text('定数包名称', { required: true, max: 60 }),
    pack_type: f.pick('包类型', packTypes, { required: true, default: 'single' }),
    specification_sn: f.ref('规格型号', 'specification', {
      hint: '单品定数包必填；组合包的产品在明细里维护',
      optionsFilter: { kept: 'true' },
      shows: { specification_code: 'code', unit_name: 'unit_name' },
    }),
    size: f.quantity('定数', { hint: '单品定数包每包件数，按基本单位' }),
    department_inner_sn: f.ref('使用科室', 'department', { hint: '不选表示各科室通用' }),
    used_on_receipt: f.flag('领用即消耗', { hint: '科室收货时登记为科室消耗，不再逐包登记使用' }),
    status: statusField,
    remark: f.text('备注', { max: 200 }),
  },
  extras: {
    product_name: f.text('产品名称', { width: 180 }),
    pack_quantity: f.quantity('每包件数'),
    packs_in_stores: f.count('在库包数'),
    packs_in_wards: f.count('科室包数'),
    packs_used: f.count('近30天消耗包数'),
  },
  guards: [
    row => row.pack_type !== 'single' || row.specification_sn !== null || '请选择规格型号',
    row => row.pack_type !== 'single' || row.size !== null || '请填写定数',
    row =>
      row.pack_type !== 'combined' ||
      (row.specification_sn === null && row.size === null) ||
      '组合包的规格和数量在明细里维护，请清空规格型号和定数',
    row =>
      row.size === null ||
      (compare(row.size, '2') >= 0 && compare(row.size, String(wholePieces(row.size))) === 0) ||
      '定数必须为大于1的整数',
  ],
  calls: {
    refill: {
      label: '按用量申领',
      rows: true,
      asks: {
        department_inner_sn: f.ref('申领科室', 'department', { required: true }),
        warehouse_model_inner_sn: f.ref('供货仓库', 'warehouse', { required: true, named: 'it is asked for goods' }),
        days: f.count('统计天数', { required: true, min: '1', max: 90, default: 7, hint: '按这些天里用掉的包数申领' }),
      },
    },
  },
  screens: [
    {
      route: '/hospital/productPack',
      title: '定数包组包',
      orgs: 'H',
      menu: '库存管理',
      tab: '定数包模板',
      purpose: '每种定数包的规格与定数，及各处现有包数和近30天消耗',
      columns: [
        'code',
        'name',
        'pack_type',
        'product_name',
        'specification_sn',
        'unit_name',
        'pack_quantity',
        'department_inner_sn',
        'used_on_receipt',
        'packs_in_stores',
        'packs_in_wards',
        'packs_used',
        'status',
        'remark',
      ],
      keyColumns: ['name', 'pack_type', 'pack_quantity', 'packs_in_stores', 'packs_in_wards', 'packs_used', 'status'],
      filters: ['q', 'pack_type', 'specification_sn', 'department_inner_sn', 'status'],
    },
  ],
})

/** The contents of a combined pack. */
export const packTemplateLine = defineEntity({
  kind: 'packTemplateLine',
  title: '组合包明细',
  table: 'pack_template_line',
  key: 'pack_template_line_sn',
  scope: 'organisation',
  writers: 'H',
  under: 'packTemplate',
  partOf: { when: row => row.pack_type === 'combined', written: row => row.pack_type === 'combined' },
  display: 'specification_sn',
  sort: 'sort_no,pack_template_line_sn',
  unique: [['pack_template_sn', 'specification_sn']],
  search: ['specification_name'],
  fields: {
    pack_template_sn: f.ref('定数包模板', 'packTemplate', { required: true }),
    specification_sn: f.ref('规格型号', 'specification', {
      required: true,
      optionsFilter: { kept: 'true' },
      shows: { specification_code: 'code', unit_name: 'unit_name' },
    }),
    quantity: f.quantity('每包数量', { required: true, min: '0.001' }),
    sort_no: f.count('排序号', { min: '0', max: 999, default: 0 }),
  },
  extras: { product_name: f.text('产品名称', { width: 180 }) },
  guards: [row => compare(row.quantity, String(wholePieces(row.quantity))) === 0 || '每包数量应为整数'],
  screens: [],
})
