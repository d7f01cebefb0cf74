import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'

/** 到期日历: on which days of the next twelve months licences end, own ones and partners'. */
export const licenceCalendar = defineReport({
  kind: 'licenceCalendar',
  title: '到期日历',
  sqlFile: 'trade/licences/expiry/licence-calendar.sql',
  unscoped: 'licences belong to the organisation, not to a warehouse or department',
  parameters: {
    licence_type: f.text('证照类型'),
    system_type: f.pick('机构类型', { 1: '医院', 2: '经销商', 3: '厂商' }),
  },
  columns: {
    valid_to: f.day('到期日'),
    licences: f.count('到期证照数'),
    own: f.count('其中本机构'),
    licence_types: f.text('证照类型', { width: 360 }),
  },
  totals: ['licences', 'own'],
  drillDown: { licences: { to: 'licence', with: { begin_valid_to: 'valid_to', end_valid_to: 'valid_to' } } },
  screens: [
    {
      route: '/commonView/expiryDateManage',
      tab: '到期日历',
      title: '证照效期管理',
      orgs: 'HDV',
      menu: '证照管理',
      purpose: '未来十二个月每天到期的证照数，点击查看明细',
      columns: ['valid_to', 'licences', 'own', 'licence_types'],
      filters: [],
      page: 'licenceCalendar',
    },
  ],
})
