import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'

/** Trees of a hospital beside the plain grouping that every organisation has. */
export const typeTrees = {
  own: '自定义分类',
  account: '财务分类',
  management: '管理分类',
  purchase: '采购分类',
} as const
const PLAIN = /^[^*<>?]*$/

/**
 * 自定义分类: an organisation's own trees of goods. A specification is assigned to one leaf of each; documents of a
 * closed month keep the leaf of their date.
 */
export const customType = defineEntity({
  kind: 'customType',
  title: '自定义分类',
  table: 'custom_type',
  key: 'custom_type_sn',
  scope: 'organisation',
  writers: 'PHDV',
  display: 'name',
  pickerFields: 'all',
  sort: 'tree,sort_no,code',
  whole: true,
  fields: {
    tree: f.pick('分类体系', typeTrees, { required: true, default: 'own' }),
    name: f.text('分类名称', {
      required: true,
      max: 60,
      match: PLAIN,
      matchMsg: '分类名称中不能输入特殊字符',
      width: 240,
    }),
    code: f.text('分类编码', { max: 20, hint: '留空时按上级编码逐级生成，每级两位' }),
    parent_sn: f.ref('上级分类', 'customType'),
    sort_no: f.count('排序', { default: 0, min: '0', max: 9999 }),
    default_warehouse_sn: f.ref('默认仓库', 'warehouse', { named: 'where its goods go if nobody says else' }),
    markup_rate: f.rate('默认加价率', { min: '0' }),
    is_high_value: f.flag('高值标识', { default: false }),
    account_code: f.text('财务科目编码', { max: 30 }),
    account_name: f.text('财务科目名称', { max: 60, width: 220 }),
    managed_by: f.pick('默认管理方式', { lot: '批次', unit: '一物一码', pack: '定数包' }),
    fee_class: f.text('服务费类别', { max: 40 }),
    is_chargeable: f.flag('是否可收费', { default: false }),
    remark: f.text('备注', { max: 200 }),
    status: statusField,
    created_by: f.text('创建人', { readOnly: true }),
    created_at: f.instant('创建时间', { readOnly: true }),
    changed_at: f.instant('更新时间', { readOnly: true }),
  },
  extras: { level: f.count('层级'), product_count: f.count('产品数') },
  search: ['name', 'code', 'pinyin'],
  screens: [
    {
      route: '/ptm/CustomType',
      title: '自定义分类',
      orgs: 'PHDV',
      menu: '基础设置',
      tab: '分类',
      leads: true,
      purpose: '本机构自己的产品分类，用于筛选、报表与默认值',
      where: { tree: 'own' },
      columns: [
        'name',
        'code',
        'level',
        'sort_no',
        'default_warehouse_sn',
        'markup_rate',
        'product_count',
        'status',
        'created_by',
        'created_at',
      ],
      without: { P: ['default_warehouse_sn', 'markup_rate'], D: ['markup_rate'], V: ['markup_rate'] },
      filters: ['code', 'name', 'status'],
    },
    {
      route: '/hospital/classificationSetTree',
      title: '分类设置',
      orgs: 'H',
      menu: '基础设置',
      tab: '分类',
      leads: true,
      purpose: '财务、管理与采购三套分类；产品归入末级分类，报表与费率按此汇总',
      where: { tree: 'account,management,purchase' },
      columns: [
        'name',
        'code',
        'level',
        'tree',
        'account_code',
        'account_name',
        'is_high_value',
        'is_chargeable',
        'managed_by',
        'fee_class',
        'product_count',
        'sort_no',
        'status',
        'changed_at',
      ],
      filters: ['tree', 'name', 'code', 'status'],
    },
  ],
})

const hung = {
  title: '自定义分类',
  orgs: 'PHDV',
  menu: '基础设置',
  tab: '已挂产品',
  columns: [
    'tree',
    'custom_type_sn',
    'product_code',
    'product_name',
    'specification_sn',
    'manufacturer_name',
    'valid_from',
    'valid_to',
    'former',
    'by_name',
  ],
  filters: ['tree', 'custom_type_sn', 'product_name', 'specification_sn', 'is_now'],
} as const

/** 挂接产品: the leaf to which a specification is assigned, since when, and the previous leaf. */
export const typedProduct = defineEntity({
  kind: 'typedProduct',
  title: '分类产品',
  table: 'typed_product',
  key: 'typed_product_sn',
  scope: 'organisation',
  writers: 'PHDV',
  display: 'specification_sn',
  sort: '-typed_product_sn',
  fields: {
    tree: f.pick('分类体系', typeTrees, { readOnly: true }),
    custom_type_sn: f.ref('分类', 'customType', { required: true }),
    specification_sn: f.ref('规格型号', 'specification', { required: true, optionsFilter: { scope: 'released' } }),
    valid_from: f.day('起始日期', { readOnly: true }),
    valid_to: f.day('截止日期', { readOnly: true }),
    by_name: f.text('更新人', { readOnly: true }),
  },
  extras: {
    product_code: f.text('产品编码'),
    product_name: f.text('产品名称', { width: 200 }),
    manufacturer_name: f.text('生产厂家'),
    former: f.text('原分类'),
    is_now: f.flag('当前有效'),
  },
  search: ['product_name', 'product_code'],
  calls: {
    move: { label: '移动到分类', asks: { target_sn: f.ref('目标分类', 'customType', { required: true }) }, rows: true },
  },
  screens: [
    { ...hung, route: '/ptm/CustomType', purpose: '各规格所属分类及生效日期', where: { tree: 'own' } },
    {
      ...hung,
      route: '/hospital/classificationSetTree',
      title: '分类设置',
      orgs: 'H',
      purpose: '各规格所属的财务、管理、采购分类及生效日期',
      where: { tree: 'account,management,purchase' },
    },
  ],
})
