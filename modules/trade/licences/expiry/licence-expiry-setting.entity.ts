import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { licenceTypes } from '#modules/trade/licensing/licence-types.ts'

const days = (label: string, hint: string, preset?: number) =>
  f.count(label, { min: '0', max: 3650, hint, ...(preset === undefined ? {} : { default: preset }) })
const at = (label: string) => f.flag(label, { default: true })

/** How expiry is handled: also offered by the batch dialog. */
const watching = {
  first_days: days('首次预警天数', '留空按平台设置，通常90天'),
  second_days: days('二次预警天数', '剩余天数不超过该天数时再提醒一次', 30),
  daily_days: days('每日提醒起(天)', '剩余天数不超过该天数时每天提醒', 7),
  control: f.pick(
    '到期控制方式',
    { refuse: '禁止', warn: '提醒', none: '不控制' },
    { hint: '留空按平台设置的证照过期控制' },
  ),
  grace_days: f.count('宽限天数', { min: '0', max: 30, default: 0, hint: '只延长控制，不延长预警' }),
} as const

const remindedBy = { inside: '站内', sms: '站内和短信' }

/** 证照效期设置: how an organisation monitors each kind of licence. One row per kind. */
export const licenceSetting = defineEntity({
  kind: 'licenceExpirySetting',
  title: '证照效期设置',
  table: 'licence_setting',
  key: 'setting_sn',
  scope: 'organisation',
  writers: 'HDV',
  display: 'licence_type',
  sort: 'setting_sn',
  fields: {
    licence_type: f.pick('证照类型', licenceTypes, { required: true, width: 190 }),
    is_required: f.flag('是否必备', { default: false, hint: '往来机构没有时提醒，并在首营审批时要求提供' }),
    device_classes: f.many(
      '适用管理类别',
      { I: 'Ⅰ类', II: 'Ⅱ类', III: 'Ⅲ类' },
      { hint: '不选表示全部；法定证照按法规' },
    ),
    ...watching,
    reminded_role_sn: f.ref('提醒对象', 'role', { hint: '留空提醒所有能看证照的人' }),
    at_order: at('采购订单'),
    at_arrival: at('到货验收'),
    at_receipt: at('采购入库'),
    at_sale: at('销售订单'),
    at_issue: at('销售出库'),
    at_use: f.flag('科室使用', { default: false, hint: '医院使用时核对产品注册证和寄售供应商的证照' }),
    reminded_by: f.pick('提醒方式', remindedBy, {
      required: true,
      default: 'inside',
      hint: '短信发给提醒对象中留有手机号的人',
    }),
    updated_by: f.text('修改人', { readOnly: true }),
    updated_at: f.instant('修改时间', { readOnly: true }),
    status: f.pick('状态', { enabled: '启用', disabled: '停用' }, { readOnly: true, default: 'enabled' }),
  },
  extras: {
    holders: f.text('适用机构类型', { width: 150 }),
    first_now: f.count('首次预警(天)'),
    control_now: f.pick('到期控制', { refuse: '禁止', warn: '提醒', none: '不控制' }),
    watched_at: f.text('控制环节', { width: 260 }),
    is_lawful: f.flag('法定'),
    due_months: f.text('到期月份', { hint: '如2026-12：一年内有这类证照在该月到期', width: 200 }),
  },
  guards: [row => row.reminded_by !== 'sms' || row.reminded_role_sn !== null || '短信提醒请选择提醒对象'],
  unique: [['licence_type']],
  search: ['licence_type'],
  calls: {
    batch: {
      label: '批量设置',
      asks: { ...watching, reminded_by: f.pick('提醒方式', remindedBy) },
      rows: true,
      tone: 'primary',
    },
    restore: { label: '恢复默认', asks: {}, rows: true },
  },
  screens: [
    {
      route: '/commonView/expiryDateManage',
      tab: '效期设置',
      leads: true,
      title: '证照效期管理',
      orgs: 'HDV',
      menu: '证照管理',
      purpose: '各类证照的预警天数、到期控制方式与控制环节；保存后重新计算预警',
      columns: [
        'licence_type',
        'holders',
        'device_classes',
        'is_lawful',
        'is_required',
        'first_now',
        'second_days',
        'daily_days',
        'reminded_role_sn',
        'reminded_by',
        'control_now',
        'watched_at',
        'grace_days',
        'due_months',
        'status',
        'updated_by',
        'updated_at',
      ],
      filters: ['licence_type', 'holders', 'control_now', 'due_months', 'status'],
      actions: ['edit', 'batch', 'restore'],
    },
  ],
})
