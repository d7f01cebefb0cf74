import { compare } from '#kernel/values/decimal.ts'
import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { areaKinds, storageConditions } from '#modules/base/vocabulary/storage-conditions.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'

const page = { route: '/commonView/stockArea', title: '库区管理', menu: '仓储租赁' } as const
const inOrder = (low: string | null, high: string | null): boolean =>
  low === null || high === null || compare(low, high) <= 0

export const letStates = { none: '不出租', free: '空置', partly: '部分出租', full: '已租满' } as const

/** 库区: the areas of a warehouse that its operator leases out, and who rents them. */
export const leaseArea = defineEntity({
  kind: 'leaseArea',
  title: '库区',
  table: 'known_lease_area',
  key: 'lease_area_sn',
  scope: 'organisation',
  writers: 'PD',
  display: 'name',
  deletedFromList: true,
  sort: 'warehouse_model_inner_sn,code',
  search: ['code', 'name', 'warehouse_name'],
  tone: row => (row.is_outside === true ? 'danger' : undefined),
  fields: {
    warehouse_model_inner_sn: f.ref('本机构仓库', 'warehouse', { required: true }),
    store_name: f.text('仓库', { readOnly: true }),
    code: f.text('库区编码', {
      required: true,
      max: 4,
      match: /^[A-Z0-9]{1,4}$/,
      matchMsg: '库区编码应为1到4位大写字母或数字',
    }),
    name: f.text('库区名称', { required: true, max: 40 }),
    area_kind: f.pick('质量分区', areaKinds, { required: true, default: 'qualified', width: 130 }),
    storage_condition: f.pick('储存条件', storageConditions, { required: true, default: 'normal' }),
    temperature_min: f.quantity('温度下限(℃)', { min: '-90', max: '90' }),
    temperature_max: f.quantity('温度上限(℃)', { min: '-90', max: '90' }),
    humidity_min: f.quantity('湿度下限(%)', { min: '0', max: '100' }),
    humidity_max: f.quantity('湿度上限(%)', { min: '0', max: '100' }),
    area_m2: f.quantity('面积(㎡)', { required: true, min: '0.001' }),
    month_rent: f.price('单位面积月租金', { min: '0' }),
    sensor_no: f.text('温湿度设备编号', { max: 40 }),
    keeper_sn: f.ref('负责人', 'employee'),
    remark: f.text('备注', { max: 200 }),
    is_rented: f.flag('本机构承租', { readOnly: true }),
    status: statusField,
  },
  extras: {
    temperature_range: f.text('温度范围(℃)'),
    humidity_range: f.text('湿度范围(%)'),
    let_m2: f.quantity('已租面积(㎡)'),
    free_m2: f.quantity('空余面积(㎡)'),
    place_count: f.count('货位数'),
    used_count: f.count('已用货位数'),
    usage_rate: f.rate('使用率'),
    lessee_names: f.text('承租方', { width: 180 }),
    let_state: f.pick('出租状态', letStates),
    stock: f.quantity('库存数量'),
    reading: f.text('当前温湿度', { width: 130 }),
    is_outside: f.flag('超标'),
  },
  guards: [
    row => inOrder(row.temperature_min, row.temperature_max) || '温度下限不能大于上限',
    row => inOrder(row.humidity_min, row.humidity_max) || '湿度下限不能大于上限',
  ],
  actions: {
    location: {
      label: '批量生成货位',
      tone: 'primary',
      asks: {
        shelf_no: f.count('起始排号', { required: true, min: '1', max: 99, default: 1 }),
        shelf_count: f.count('排数', { required: true, min: '1', max: 50, default: 1 }),
        layers: f.count('层数', { required: true, min: '1', max: 20, default: 1 }),
        columns_count: f.count('列数', { required: true, min: '1', max: 50, default: 1 }),
      },
    },
    assign: {
      label: '分配承租方',
      asks: {
        lease_contract_sn: f.ref('租赁合同', 'lessee', { required: true }),
        area_m2: f.quantity('面积(㎡)', { required: true, min: '0.001' }),
        start_on: f.day('起租日期', { required: true, default: 'today' }),
        end_on: f.day('退租日期', { hint: '留空为合同到期日' }),
      },
    },
    release: {
      label: '收回',
      tone: 'danger',
      asks: { lease_contract_sn: f.ref('租赁合同', 'lessee', { required: true }) },
    },
    reading: {
      label: '登记温湿度',
      asks: {
        read_at: f.instant('时间', { hint: '留空为现在' }),
        temperature: f.quantity('温度(℃)', { required: true, min: '-90', max: '90' }),
        humidity: f.quantity('相对湿度(%)', { min: '0', max: '100' }),
      },
    },
  },
  links: [
    {
      label: '查看库存',
      to: '/commonView/stockArea',
      tab: '库区库存',
      with: { area_code: '$code', warehouse_model_inner_sn: '$warehouse_model_inner_sn' },
    },
  ],
  screens: [
    {
      ...page,
      tab: '库区',
      leads: true,
      orgs: 'PDV',
      purpose: '出租仓库的库区：储存条件、质量分区、面积、承租方、占用与温湿度；承租方看到承租的库区和自己的库存',
      columns: [
        'store_name',
        'code',
        'name',
        'area_kind',
        'storage_condition',
        'temperature_range',
        'humidity_range',
        'area_m2',
        'let_m2',
        'free_m2',
        'place_count',
        'used_count',
        'usage_rate',
        'lessee_names',
        'let_state',
        'reading',
        'stock',
        'is_rented',
        'status',
        'remark',
      ],
      keyColumns: ['code', 'name', 'area_m2', 'free_m2', 'lessee_names', 'let_state'],
      filters: [
        'warehouse_model_inner_sn',
        'code',
        'name',
        'storage_condition',
        'area_kind',
        'lessee_names',
        'let_state',
        'is_rented',
        'status',
      ],
    },
  ],
})

/** 承租库区: the data of leased areas that their tenant may see. */
export const rentedArea = defineEntity({
  kind: 'rentedArea',
  title: '承租库区',
  table: 'rented_area',
  key: 'rented_area_sn',
  scope: 'organisation',
  readOnly: true,
  display: 'area_name',
  pickerFields: ['area_code', 'warehouse_name', 'storage_condition', 'contract_state'],
  sort: 'lessor_sn,warehouse_name,area_code',
  search: ['area_code', 'area_name', 'warehouse_name', 'lessor_name'],
  fields: {
    lessor_sn: f.ref('出租方', 'organisation'),
    contract_no: f.text('合同编号'),
    contract_state: f.pick('合同状态', {
      waiting: '未生效',
      running: '履约中',
      ending: '即将到期',
      ended: '已到期',
      stopped: '已停租',
    }),
    warehouse_name: f.text('仓库'),
    area_code: f.text('库区编码'),
    area_name: f.text('库区名称', { width: 160 }),
    area_kind: f.pick('质量分区', areaKinds, { width: 130 }),
    storage_condition: f.pick('储存条件', storageConditions),
    temperature_min: f.quantity('温度下限(℃)'),
    temperature_max: f.quantity('温度上限(℃)'),
    humidity_min: f.quantity('湿度下限(%)'),
    humidity_max: f.quantity('湿度上限(%)'),
    area_m2: f.quantity('承租面积(㎡)'),
    start_on: f.day('起租日期'),
    end_on: f.day('退租日期'),
    stock: f.quantity('本机构库存'),
    reading: f.text('当前温湿度', { width: 130 }),
  },
  screens: [],
})

/** 库区库存: the stock in leased areas, by tenant, lot and place. */
export const leaseStock = defineEntity({
  kind: 'leaseStock',
  title: '库区库存',
  table: 'lease_stock',
  key: 'lease_stock_sn',
  scope: 'organisation',
  readOnly: true,
  under: 'leaseArea',
  display: 'lot_no',
  sort: 'warehouse_model_inner_sn,area_code,location,lease_stock_sn',
  search: ['lot_no', 'location'],
  fields: {
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse'),
    area_code: f.text('库区编码'),
    location: f.text('货位'),
    owner_sn: f.ref('承租方', 'organisation'),
    specification_sn: f.ref('规格型号', 'specification'),
    lot_no: f.text('批号'),
    expiry_date: f.expiry('有效期至'),
    quality_state: f.text('质量状态'),
    quantity: f.quantity('数量'),
  },
  screens: [
    {
      ...page,
      tab: '库区库存',
      orgs: 'PD',
      purpose: '出租仓库里各承租方的货物，按库区、货位和批号',
      columns: [
        'warehouse_model_inner_sn',
        'area_code',
        'location',
        'owner_sn',
        'specification_sn',
        'lot_no',
        'expiry_date',
        'quality_state',
        'quantity',
      ],
      filters: ['warehouse_model_inner_sn', 'area_code', 'owner_sn', 'specification_sn', 'lot_no'],
    },
  ],
})
