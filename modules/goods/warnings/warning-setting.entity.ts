import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

const days = (label: string, hint: string) => f.count(label, { min: '0', max: 3650, hint })

/** 预警设置: how many days ahead an organisation wants to be warned. One row each. */
export const warningSetting = defineEntity({
  kind: 'warningSetting',
  title: '预警设置',
  table: 'warning_setting',
  key: 'setting_sn',
  scope: 'organisation',
  display: 'certificate_days',
  fields: {
    expiry_days: days('效期提前(天)', '留空按平台设置，通常180天'),
    licence_days: days('资质提前(天)', '证照、授权；留空按平台设置，通常90天'),
    certificate_days: f.count('注册证提前(天)', { min: '0', max: 3650, default: 90, required: true }),
    urgent_days: f.count('紧急(天)', {
      min: '0',
      max: 365,
      default: 30,
      required: true,
      hint: '剩余天数不超过该天数时为紧急',
    }),
    idle_days: f.count('呆滞(天)', {
      min: '1',
      max: 3650,
      hint: '连续无出库的天数；留空按平台设置的滞销预警天数，通常180天',
    }),
    stop_days: f.count('停售无结论(天)', { min: '1', max: 365, default: 7, required: true }),
    tells: f.flag('新预警发消息', { default: true }),
  },
  /** The effective value where the organisation left it to the platform. */
  extras: { expiry_now: f.count('效期提前(天)'), licence_now: f.count('资质提前(天)'), idle_now: f.count('呆滞(天)') },
  screens: [
    {
      route: '/commonView/warning',
      tab: '预警设置',
      title: '预警中心',
      orgs: 'HDV',
      menu: '预警中心',
      purpose: '本机构的预警天数、紧急天数与呆滞天数；保存后重新计算',
      columns: ['expiry_now', 'licence_now', 'certificate_days', 'urgent_days', 'idle_now', 'stop_days', 'tells'],
      filters: [],
      actions: ['edit'],
    },
  ],
})
