import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { compare, wholePieces } from '#kernel/values/decimal.ts'
import { statusField } from '#modules/vocabulary/status-field.ts'

/** 定数包模板: how many pieces of which specification make one pack, and whether a ward uses it up by receiving it. */
export const packTemplate = defineEntity({
  kind: 'packTemplate',
  title: '定数包模板',
  table: 'pack_template',
  key: 'pack_template_sn',
  scope: 'organisation',
  writers: 'H',
  display: 'name',
  retire: 'disable',
  search: ['name', 'code'],
  unique: [['code'], ['name']],
  fields: {
    code: f.text('模板编码', { required: true, max: 20 }),
    name: f.text('定数包名称', { required: true, max: 60 }),
    specification_sn: f.ref('规格型号', 'specification', {
      required: true,
      optionsFilter: { kept: 'true' },
      shows: { specification_code: 'code', unit_name: 'unit_name' },
    }),
    size: f.quantity('定数', { required: true, hint: '每包件数，按基本单位' }),
    department_inner_sn: f.ref('使用科室', 'department', { hint: '不选表示各科室通用' }),
    used_on_receipt: f.flag('领用即消耗', { hint: '科室收货时登记为科室消耗，不再逐包登记使用' }),
    status: statusField,
    remark: f.text('备注', { max: 200 }),
  },
  extras: {
    product_name: f.text('产品名称', { width: 180 }),
    packs_in_stores: f.count('在库包数'),
    packs_in_wards: f.count('科室包数'),
    packs_used: f.count('近30天消耗包数'),
  },
  guards: [
    row =>
      row.size === null ||
      (compare(row.size, '2') >= 0 && compare(row.size, String(wholePieces(row.size))) === 0) ||
      '定数必须为大于1的整数',
  ],
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
        'product_name',
        'specification_sn',
        'unit_name',
        'size',
        'department_inner_sn',
        'used_on_receipt',
        'packs_in_stores',
        'packs_in_wards',
        'packs_used',
        'status',
        'remark',
      ],
      keyColumns: ['name', 'specification_sn', 'size', 'packs_in_stores', 'packs_in_wards', 'packs_used', 'status'],
      filters: ['q', 'specification_sn', 'department_inner_sn', 'status'],
    },
  ],
})
