import { compare, isZero } from '#kernel/values/decimal.ts'
import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { lowMeasures } from '#modules/hospital/cabinet/equipment/cabinet-labels.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'

/** A slot with this many days of stock or less is short. */
export const SHORT_DAYS = 3
const quantity = f.quantity('领用数量', { required: true, min: '0.001' })

/**
 * 低值耗材柜货格: slots for goods without codes, counted by weight, keys, two bins or by hand, between a refill point and
 * an upper limit.
 */
export const lowValueSlot = defineEntity({
  kind: 'lowValueSlot',
  title: '低值耗材货格',
  table: 'cabinet_slot',
  key: 'low_value_slot_sn',
  scope: 'organisation',
  display: 'location',
  writers: 'H',
  sort: 'location',
  fields: {
    door_sn: f.ref('柜门', 'cupboard', { required: true }),
    layer: f.count('层', { required: true, min: '1', max: '50' }),
    slot_no: f.text('货格号', {
      required: true,
      max: 20,
      match: /^[\w.]+$/,
      matchMsg: '货格号只能用字母、数字、点和下划线',
    }),
    location: f.text('货格编号', { readOnly: true, width: 130 }),
    specification_sn: f.ref('规格型号', 'specification', {
      shows: { specification_code: 'code', unit_name: 'unit_name' },
    }),
    measure: f.pick('计量方式', lowMeasures, { required: true, default: 'manual' }),
    plate_sn: f.ref('托盘编号', 'weighingPlate'),
    lower_limit: f.quantity('下限(补货点)', { min: '0' }),
    upper_limit: f.quantity('上限', { min: '0' }),
    pack_quantity: f.quantity('定数包规格', { min: '0.001', hint: '双箱定数包填写：每包件数' }),
    source_warehouse_sn: f.ref('补货来源仓库', 'warehouse', {
      hint: '留空为上级仓库',
      named: 'it is asked for goods',
    }),
    remark: f.text('备注', { max: 200 }),
    status: statusField,
  },
  extras: {
    department_name: f.text('科室'),
    cabinet_name: f.text('柜体', { width: 130 }),
    product_name: f.text('产品名称', { width: 180 }),
    quantity: f.quantity('当前数量'),
    daily_use: f.quantity('日均消耗'),
    days_left: f.quantity('可用天数'),
    used_today: f.quantity('今日领用'),
    used_month: f.quantity('本月领用'),
    near_lot: f.text('近效期批次'),
    stock_state: f.pick('库存状态', {
      normal: '正常',
      low: '低于补货点',
      short: '不足3天',
      empty: '缺货',
      unbound: '未绑定',
    }),
    refill_state: f.pick('补货状态', { none: '无', open: '补货中' }),
    last_operator: f.text('最近领用人'),
    last_at: f.instant('最近领用时间'),
  },
  guards: [
    row =>
      row.lower_limit === null ||
      row.upper_limit === null ||
      compare(row.lower_limit, row.upper_limit) <= 0 ||
      '下限不能大于上限',
    row =>
      row.measure !== 'two_bin' ||
      (row.pack_quantity !== null && !isZero(row.pack_quantity)) ||
      '双箱定数包请填写定数包规格',
  ],
  tone: row => (['low', 'short', 'empty'].includes(String(row.stock_state)) ? 'warning' : undefined),
  search: ['location'],
  actions: {
    take: { label: '登记领用', tone: 'primary', handy: true, asks: { quantity } },
    bind: { label: '绑定货格', asks: { specification_sn: f.ref('规格型号', 'specification', { required: true }) } },
    unbind: { label: '解除绑定', tone: 'danger' },
  },
  calls: {
    replenish: { label: '一键补货', tone: 'primary', asks: {} },
    pack: { label: '定数包补货', rows: true, asks: {} },
  },
  screens: [
    {
      route: '/commonView/consumableCabinetManagement/lowConsumables',
      title: '低值耗材柜管理',
      orgs: 'H',
      menu: '智能柜管理',
      tab: '货格',
      leads: true,
      purpose: '注射器、纱布等低值耗材的货格：现有数量、可用天数、领用登记与补货',
      columns: [
        'department_name',
        'cabinet_name',
        'location',
        'specification_code',
        'product_name',
        'specification_sn',
        'unit_name',
        'measure',
        'quantity',
        'lower_limit',
        'upper_limit',
        'daily_use',
        'days_left',
        'used_today',
        'used_month',
        'near_lot',
        'stock_state',
        'refill_state',
        'last_operator',
        'last_at',
        'status',
      ],
      filters: [
        'department_name',
        'cabinet_name',
        'location',
        'product_name',
        'measure',
        'stock_state',
        'last_at',
        'refill_state',
        'status',
      ],
    },
  ],
})
