import { defineEntity } from '#kernel/entity.ts'
import { f } from '#kernel/field.ts'
import { statusField } from '#modules/on-off.ts'

/** Kinds of store. 在途 and 已消耗, which every organisation has besides, are places of the ledger and no stores. */
export const warehouseModels = {
  central: '中心库',
  ward: '科室二级库',
  cabinet: '智能柜',
  consigned: '寄售库',
  virtual: '虚拟库',
  stopSale: '停售库',
  leased: '租赁库',
  advance: '预销售库',
} as const

/** 仓库: the stores of an organisation. Without `type` a list holds those that people may choose. */
export const warehouse = defineEntity({
  kind: 'warehouse',
  title: '仓库',
  table: 'warehouse',
  key: 'warehouse_model_inner_sn',
  scope: 'organisation',
  display: 'name',
  retire: 'disable',
  whole: true,
  sort: 'sort_no,warehouse_model_inner_sn',
  fields: {
    code: f.text('仓库编码', { required: true, max: 40 }),
    name: f.text('仓库名称', { required: true, max: 60 }),
    model: f.pick('仓库类型', warehouseModels, { required: true }),
    type: f.count('类型代码', { readOnly: true }),
    department_inner_sn: f.ref('所属科室', 'department'),
    parent_sn: f.ref('上级仓库', 'warehouse'),
    manager_sn: f.ref('负责人', 'employee'),
    storage: f.text('贮存条件', { max: 60, dictionary: 'storage_condition' }),
    address: f.text('地址', { max: 200 }),
    use_locations: f.flag('启用货位', { default: false }),
    remark: f.text('备注', { max: 200 }),
    status: statusField,
  },
  extras: { sort_no: f.count('排序') },
  parameters: {
    /** 2: 停售库; any other value: the rest. */
    type: f.text('类型'),
    /** `all`: disabled stores and 停售库 too, for modelling. */
    scope: f.pick('范围', { all: '全部' }),
  },
  unique: [['code'], ['name']],
  guards: [row => row.model !== 'ward' || row.department_inner_sn !== null || '科室二级库必须选择所属科室'],
  search: ['name', 'code'],
  screens: [
    {
      route: '/commonView/warehouseModeling',
      title: '仓库建模',
      orgs: 'HDV',
      menu: '基础设置',
      purpose: '本机构的仓库、二级库与智能柜：编码、类型、科室与负责人',
      where: { scope: 'all' },
      columns: [
        'code',
        'name',
        'model',
        'type',
        'department_inner_sn',
        'parent_sn',
        'address',
        'storage',
        'manager_sn',
        'use_locations',
        'status',
        'remark',
      ],
      filters: ['name', 'code', 'model', 'department_inner_sn', 'storage', 'status'],
    },
  ],
})
