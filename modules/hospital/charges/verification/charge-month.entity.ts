import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { MONTH } from '#kernel/values/date.ts'

const month = f.text('月份', {
  required: true,
  match: MONTH,
  matchMsg: '月份应如2026-01',
  hint: '如2026-01',
})

/** 月结记录: months of the proof between use and charge in which nothing is booked any more. */
export const chargeMonth = defineEntity({
  kind: 'chargeMonth',
  title: 'HIS核销月结',
  table: 'charge_month_row',
  key: 'charge_month_sn',
  scope: 'organisation',
  readOnly: true,
  display: 'month',
  sort: '-month',
  fields: {
    month: f.text('月份'),
    closed_by: f.text('月结人'),
    closed_at: f.instant('月结时间'),
  },
  calls: {
    close: { label: '月结', asks: { month }, tone: 'primary' },
    unclose: { label: '取消月结', asks: { month } },
  },
  screens: [
    {
      route: '/hospital/hisVerificationReport',
      tab: '月结记录',
      title: 'HIS核销对账报表',
      orgs: 'H',
      menu: 'HIS对接',
      purpose: '已月结的月份不再变动；当月每天的HIS计费都获取后才能月结，只能取消最近一次月结',
      columns: ['month', 'closed_by', 'closed_at'],
      filters: ['month'],
    },
  ],
})
