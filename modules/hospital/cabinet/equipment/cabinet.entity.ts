import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import {
  cabinetTypes,
  doorGuards,
  identifyWays,
  online,
  temperatureRange,
} from '#modules/hospital/cabinet/equipment/cabinet-labels.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'

/** Hours of the day between commas: 7,19. */
const HOURS = /^([01]?\d|2[0-3])([,，]([01]?\d|2[0-3]))*$/

/**
 * 智能耗材柜: the device of a warehouse that is a cabinet, and the key by which it authenticates. Its doors are records
 * of their own.
 */
export const cabinet = defineEntity({
  kind: 'cabinet',
  title: '智能耗材柜',
  table: 'cabinet',
  key: 'cabinet_sn',
  scope: 'organisation',
  display: 'name',
  writers: 'H',
  unique: [['code'], ['warehouse_model_inner_sn']],
  sort: 'code',
  fields: {
    code: f.text('设备编号', {
      required: true,
      max: 40,
      match: /^[\w.-]+$/,
      matchMsg: '设备编号只能用字母、数字、点、横线和下划线',
    }),
    name: f.text('柜体名称', { required: true, max: 60 }),
    cabinet_type: f.pick('柜型', cabinetTypes, { required: true, default: 'main' }),
    maker: f.text('生产厂家', { max: 60 }),
    serial_no: f.text('序列号', { max: 60 }),
    warehouse_model_inner_sn: f.ref('对应仓库', 'warehouse', { required: true }),
    identify: f.pick('识别方式', identifyWays, { required: true, default: 'rfid' }),
    ...temperatureRange,
    open_seconds: f.count('开门超时(秒)', { min: '1', default: 120 }),
    ip: f.text('IP地址', { max: 60 }),
    mac: f.text('MAC地址', { max: 40 }),
    place: f.text('安装位置', { max: 100 }),
    installed_on: f.day('安装日期'),
    maintained_until: f.day('维保到期日'),
    compare_hours: f.text('定时比对(时)', {
      max: 60,
      match: HOURS,
      matchMsg: '定时比对请填写0至23的整点，用逗号隔开，例如7,19',
      hint: '每天在这些整点比对，例如7,19',
    }),
    software_version: f.text('软件版本', { readOnly: true }),
    last_beat_at: f.instant('最近心跳', { readOnly: true }),
    key_id: f.text('密钥编号', { readOnly: true }),
    key_state: f.pick(
      '密钥状态',
      { none: '未生成', active: '使用中', disabled: '已停用' },
      { readOnly: true, default: 'none' },
    ),
    key_made_at: f.instant('密钥生成时间', { readOnly: true }),
    key_made_by: f.text('密钥生成人', { readOnly: true }),
    remark: f.text('备注', { max: 200 }),
    status: statusField,
  },
  extras: {
    of_org_name: f.text('医院', { width: 180, ofReadOrganisation: true }),
    department_name: f.text('所属科室'),
    online,
    door_count: f.count('柜门数'),
    piece_count: f.quantity('库内件数'),
    open_alarm: f.flag('未关门报警'),
  },
  parameters: { of_org_sn: f.ref('医院', 'organisation') },
  search: ['name', 'code', 'pinyin'],
  guards: doorGuards,
  actions: {
    rotateKey: { label: '生成密钥', tone: 'danger' },
    disableKey: { label: '停用密钥', tone: 'danger' },
  },
  prints: [
    { route: '/newprint/cabinetInfo', label: '打印清单', by: 'sn' },
    { route: '/newprint/cabinetInfo', label: '打印柜门标签', by: 'sn', as: 'labels' },
  ],
  screens: [
    {
      route: '/ptm/consumableCabinet',
      title: '智能耗材柜',
      orgs: 'PH',
      menu: '智能柜管理',
      purpose: '智能柜设备：对应仓库、密钥、在线状态与软件版本',
      without: { H: ['of_org_name'] },
      columns: [
        'code',
        'name',
        'of_org_name',
        'cabinet_type',
        'department_name',
        'warehouse_model_inner_sn',
        'door_count',
        'identify',
        'ip',
        'mac',
        'software_version',
        'online',
        'last_beat_at',
        'piece_count',
        'open_alarm',
        'key_state',
        'installed_on',
        'status',
      ],
      filters: ['of_org_sn', 'department_name', 'name', 'code', 'cabinet_type', 'online', 'status', 'software_version'],
    },
  ],
})
