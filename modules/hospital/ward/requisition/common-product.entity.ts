import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

/** 常用产品: a named list from which a ward requests goods in one step. */
export const commonProduct = defineEntity({
  kind: 'commonProduct',
  title: '常用产品',
  table: 'common_product',
  key: 'common_product_sn',
  scope: 'organisation',
  writers: 'H',
  display: 'name',
  fields: {
    name: f.text('模板名称', { required: true, max: 60 }),
    department_inner_sn: f.ref('科室', 'department', { required: true }),
    warehouse_model_inner_sn: f.ref('供货仓库', 'warehouse', { required: true, named: 'it is asked for goods' }),
    sharing: f.pick('共享范围', { own: '本人', department: '本科室' }, { required: true, default: 'department' }),
    remark: f.text('备注', { max: 200 }),
    created_by: f.text('创建人', { readOnly: true }),
    last_claimed_on: f.day('最近申领日期', { readOnly: true }),
  },
  extras: { line_count: f.count('品种数'), products: f.text('产品', { width: 320 }), is_mine: f.flag('本人创建') },
  unique: [['department_inner_sn', 'name']],
  search: ['name', 'products'],
  actions: {
    toClaim: { label: '生成申领单', tone: 'primary' },
    copy: { label: '复制' },
  },
  calls: {
    fromHistory: {
      label: '从历史申领生成',
      asks: {
        department_inner_sn: f.ref('科室', 'department', { required: true }),
        warehouse_model_inner_sn: f.ref('供货仓库', 'warehouse', { required: true, named: 'it is asked for goods' }),
      },
    },
  },
  screens: [
    {
      route: '/hospital/commonProducts',
      title: '常用产品',
      orgs: 'H',
      menu: '科室管理',
      tab: '模板',
      leads: true,
      purpose: '科室常用的申领清单：一键生成申领单，不必逐个查找产品',
      columns: [
        'name',
        'department_inner_sn',
        'warehouse_model_inner_sn',
        'line_count',
        'products',
        'sharing',
        'created_by',
        'last_claimed_on',
        'remark',
      ],
      filters: ['department_inner_sn', 'name', 'products', 'is_mine'],
    },
  ],
})

/** A line of a list: the usual quantity. */
export const commonProductLine = defineEntity({
  kind: 'commonProductLine',
  title: '常用产品明细',
  table: 'common_product_line',
  key: 'common_product_line_sn',
  scope: 'organisation',
  writers: 'H',
  under: 'commonProduct',
  display: 'specification_sn',
  sort: 'common_product_sn,sort_no',
  fields: {
    common_product_sn: f.ref('模板', 'commonProduct', { required: true }),
    specification_sn: f.ref('规格型号', 'specification', {
      required: true,
      shows: { specification_code: 'code', unit_name: 'unit_name' },
    }),
    usual_quantity: f.quantity('常用数量', { required: true, min: '0', default: '1' }),
    sort_no: f.count('排序号', { min: '0', max: 9999, default: 0 }),
  },
  extras: {
    department_name: f.text('科室'),
    product_name: f.text('产品名称', { width: 200 }),
    manufacturer_name: f.text('生产厂家'),
    supplied_by: f.text('供货仓库'),
    ward_stock: f.quantity('科室现存'),
    used_30_days: f.quantity('近30天用量'),
  },
  unique: [['common_product_sn', 'specification_sn']],
  screens: [
    {
      route: '/hospital/commonProducts',
      title: '常用产品',
      orgs: 'H',
      menu: '科室管理',
      tab: '产品',
      purpose: '模板里的产品：常用数量、科室现存与近30天用量',
      columns: [
        'common_product_sn',
        'department_name',
        'specification_code',
        'product_name',
        'specification_sn',
        'unit_name',
        'manufacturer_name',
        'usual_quantity',
        'supplied_by',
        'ward_stock',
        'used_30_days',
        'sort_no',
      ],
      filters: ['common_product_name', 'department_name', 'product_name'],
      actions: ['edit', 'del'],
    },
  ],
})
