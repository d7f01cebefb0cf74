import { compare } from '#kernel/values/decimal.ts'
import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import {
  cabinetTypes,
  credentials,
  doorGuards,
  doorKinds,
  identifyWays,
  measures,
  online,
  temperatureRange,
} from '#modules/hospital/cabinet/equipment/cabinet-labels.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'

/** 柜门: a door or drawer of a cabinet; its slots say what is stored where, its permissions who may open it. */
export const cupboard = defineEntity({
  kind: 'cupboard',
  title: '柜门',
  table: 'cabinet_door',
  key: 'cupboard_sn',
  scope: 'organisation',
  display: 'door_no',
  sort: 'cabinet_sn,door_no',
  fields: {
    cabinet_sn: f.ref('柜体名称', 'cabinet', {
      width: 120,
      required: true,
      shows: { cabinet_code: 'code' },
    }),
    door_no: f.text('柜门号', {
      required: true,
      max: 20,
      match: /^[\w.]+$/,
      matchMsg: '柜门号只能用字母、数字、点和下划线',
    }),
    name: f.text('柜门名称', { max: 40, width: 110 }),
    door_kind: f.pick('柜门类型', doorKinds, { required: true, default: 'sliding' }),
    layers: f.count('层数', { min: '1', max: '50', default: 1 }),
    identify: f.pick('识别方式', identifyWays, { hint: '不填同柜体' }),
    reader_no: f.text('读写器编号', { max: 40 }),
    open_seconds: f.count('开门超时(秒)', { min: '1', hint: '不填同柜体' }),
    ...temperatureRange,
    temperature: f.quantity('温度(℃)', { readOnly: true }),
    humidity: f.quantity('湿度(%)', { readOnly: true }),
    remark: f.text('备注', { max: 200 }),
    status: statusField,
  },
  extras: {
    cabinet_type: f.pick('柜型', cabinetTypes),
    department_name: f.text('科室', { width: 92 }),
    warehouse_name: f.text('对应仓库'),
    slot_count: f.count('货格数'),
    bound_count: f.count('已绑定规格数'),
    bound_products: f.text('绑定产品'),
    piece_count: f.quantity('库内件数'),
    short_count: f.count('缺货货格数'),
    user_count: f.count('授权人数'),
    door_state: f.pick('门状态', { closed: '已关闭', open: '已开启', late: '超时未关' }),
    online,
  },
  guards: doorGuards,
  search: ['door_no', 'name'],
  actions: {
    copy: { label: '复制', asks: { door_no: f.text('新柜门号', { required: true, max: 20 }) } },
    remoteOpen: { label: '远程开门', tone: 'danger', asksReason: true, reasonMsg: '请填写远程开门原因' },
    locate: { label: '亮灯' },
  },
  prints: [{ route: '/newprint/cabinetInfo', label: '打印', by: 'sn' }],
  screens: [
    {
      route: '/commonView/consumableCabinetManagement/cupboard',
      title: '柜门管理',
      orgs: 'H',
      menu: '智能柜管理',
      purpose: '本院智能柜的柜门、货格、存放产品与开门权限',
      columns: [
        'cabinet_sn',
        'cabinet_code',
        'door_no',
        'name',
        'door_kind',
        'cabinet_type',
        'department_name',
        'warehouse_name',
        'identify',
        'layers',
        'slot_count',
        'bound_count',
        'piece_count',
        'short_count',
        'temperature',
        'humidity',
        'user_count',
        'door_state',
        'online',
        'status',
      ],
      filters: [
        'cabinet_sn',
        'cabinet_code',
        'cabinet_type',
        'department_name',
        'warehouse_name',
        'door_no',
        'bound_products',
        'door_state',
        'online',
        'status',
      ],
    },
  ],
})

const notAbove = (low: string | null, high: string | null): boolean =>
  low === null || high === null || compare(low as never, high as never) <= 0

/**
 * 货格: a place behind a door for one specification. Its code consists of cabinet, door, layer and slot: a location of
 * the warehouse.
 */
export const cabinetSlot = defineEntity({
  kind: 'cabinetSlot',
  title: '货格',
  table: 'cabinet_slot',
  key: 'cabinet_slot_sn',
  scope: 'organisation',
  under: 'cupboard',
  writers: 'H',
  display: 'location',
  sort: 'door_sn,layer,slot_no',
  fields: {
    door_sn: f.ref('柜门', 'cupboard', { required: true }),
    layer: f.count('层', { required: true, min: '1', max: '50' }),
    slot_no: f.text('货格编号', {
      required: true,
      max: 20,
      match: /^[\w.]+$/,
      matchMsg: '货格编号只能用字母、数字、点和下划线',
    }),
    location: f.text('货位码', { readOnly: true }),
    specification_sn: f.ref('绑定产品', 'specification', { shows: { specification_code: 'code' } }),
    measure: f.pick('计量方式', measures, { required: true, default: 'rfid' }),
    upper_limit: f.quantity('上限', { min: '0' }),
    lower_limit: f.quantity('下限', { min: '0' }),
    plate_sn: f.ref('托盘', 'weighingPlate'),
    antenna_no: f.text('天线编号', { max: 40 }),
    status: statusField,
  },
  extras: { product_name: f.text('产品名称'), quantity: f.quantity('库内件数') },
  guards: [row => notAbove(row.lower_limit, row.upper_limit) || '下限不能大于上限'],
  search: ['location'],
  screens: [],
})

/** 柜门权限: who may open a door, for what purpose, by which identification, in which period. */
export const doorPermission = defineEntity({
  kind: 'doorPermission',
  title: '柜门权限',
  table: 'cabinet_permission',
  key: 'door_permission_sn',
  scope: 'organisation',
  under: 'cupboard',
  writers: 'H',
  aboutRights: true,
  search: ['user_name'],
  display: 'user_sn',
  fields: {
    door_sn: f.ref('柜门', 'cupboard', { required: true }),
    user_sn: f.ref('人员', 'user', { required: true }),
    may_take: f.flag('取用', { default: true }),
    may_refill: f.flag('补货', { default: true }),
    may_count: f.flag('盘点', { default: false }),
    may_manage: f.flag('管理', { default: false }),
    credential: f.pick('验证方式', credentials),
    credential_no: f.text('卡号/特征编号', { max: 60, secret: true, hint: '登记后不再显示；留空则保留已登记的' }),
    valid_from: f.day('生效日期'),
    valid_to: f.day('失效日期'),
  },
  extras: { has_credential: f.flag('已登记卡号'), reach: f.pick('授权范围', { door: '本柜门', cabinet: '整柜' }) },
  guards: [
    row =>
      row.valid_from === null || row.valid_to === null || row.valid_from <= row.valid_to || '失效日期不能早于生效日期',
    row =>
      row.may_take === true ||
      row.may_refill === true ||
      row.may_count === true ||
      row.may_manage === true ||
      '请至少选择一项权限',
  ],
  screens: [],
})
