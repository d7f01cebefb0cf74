import { compare } from '#kernel/values/decimal.ts'
import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'
import { warehouseModels } from '#modules/base/vocabulary/warehouse-models.ts'

/** The moment at which goods of a warehouse are expensed: when used, when issued to it, or when it received them. */
export const accountings = { use: '使用时计', issue: '发放时计', receipt: '收货时计' } as const
const inOrder = (low: string | null, high: string | null): boolean =>
  low === null || high === null || compare(low, high) <= 0

/** 仓库: the warehouses of an organisation. Without `type` a list holds those users may choose. */
export const warehouse = defineEntity({
  kind: 'warehouse',
  title: '仓库',
  table: 'warehouse',
  key: 'warehouse_model_inner_sn',
  scope: 'organisation',
  display: 'name',
  pickerFields: ['model', 'type', 'department_inner_sn', 'parent_sn', 'accounting', 'use_locations', 'is_consigned'],
  formFilter: { type: '3' },
  whole: true,
  sort: 'sort_no,warehouse_model_inner_sn',
  fields: {
    code: f.text('仓库编码', { required: true, max: 40 }),
    // Wide enough for the third level of the tree.
    name: f.text('仓库名称', { required: true, max: 60, width: 220 }),
    model: f.pick('仓库类型', warehouseModels, { required: true }),
    // The number by which other programs query, with its meaning.
    type: f.pick('类型代码', { '2': '2 停售库', '3': '3 其他仓库' }, { readOnly: true }),
    department_inner_sn: f.ref('所属科室', 'department'),
    parent_sn: f.ref('上级仓库', 'warehouse', { named: 'the store stands below it' }),
    manager_sn: f.ref('负责人', 'employee'),
    phone: f.text('联系电话', { max: 30 }),
    floor_area: f.quantity('面积(㎡)', { min: '0' }),
    storage: f.text('贮存条件', { max: 60, dictionary: 'storage_condition' }),
    temperature_min: f.quantity('温度下限(℃)', { min: '-90', max: '90' }),
    temperature_max: f.quantity('温度上限(℃)', { min: '-90', max: '90' }),
    humidity_min: f.quantity('湿度下限(%)', { min: '0', max: '100' }),
    humidity_max: f.quantity('湿度上限(%)', { min: '0', max: '100' }),
    campus: f.text('院区', { orgs: 'H', max: 60, dictionary: 'campus', hint: '留空随所属科室' }),
    address: f.text('地址', { max: 200 }),
    accounting: f.pick('核算方式', accountings, {
      default: 'use',
      hint: '默认按使用计成本；发放时计、收货时计的二级库在发放、收货时计成本，使用时不再计',
    }),
    use_locations: f.flag('启用货位', { default: false }),
    remark: f.text('备注', { max: 200 }),
    status: statusField,
  },
  extras: {
    sort_no: f.count('排序'),
    area_count: f.count('库区数'),
    place_count: f.count('货位数'),
    /** True if goods of other owners are stored there, or are meant to be. */
    is_consigned: f.flag('是否寄售'),
  },
  parameters: {
    type: f.pick('类型', { '2': '停售库', '3': '其他仓库' }),
    /** `all`: disabled warehouses and 停售库 too, for modelling. */
    scope: f.pick('范围', { all: '全部' }),
  },
  unique: [['code'], ['name']],
  guards: [
    row => inOrder(row.temperature_min, row.temperature_max) || '温度下限不能大于上限',
    row => inOrder(row.humidity_min, row.humidity_max) || '湿度下限不能大于上限',
    row => row.model !== 'ward' || row.department_inner_sn !== null || '科室二级库必须选择所属科室',
  ],
  search: ['name', 'code', 'pinyin'],
  screens: [
    {
      route: '/commonView/warehouseModeling',
      title: '仓库建模',
      orgs: 'HDV',
      menu: '基础设置',
      tab: '仓库',
      leads: true,
      without: { D: ['accounting', 'campus'], V: ['accounting', 'campus'] },
      purpose: '本机构的仓库、二级库与智能柜：编码、类型、科室与负责人',
      where: { scope: 'all' },
      columns: [
        'code',
        'name',
        'model',
        'type',
        'department_inner_sn',
        'parent_sn',
        'campus',
        'address',
        'storage',
        'area_count',
        'place_count',
        'manager_sn',
        'phone',
        'accounting',
        'is_consigned',
        'use_locations',
        'status',
        'remark',
      ],
      filters: ['name', 'code', 'model', 'department_inner_sn', 'campus', 'storage', 'status'],
    },
  ],
})
