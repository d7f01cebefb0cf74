import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

/**
 * 会计期间: the organisation's accounting months. A closed one accepts no more bookings dated in it; only the latest may
 * be reopened.
 */
export const accountingPeriod = defineEntity({
  kind: 'accountingPeriod',
  title: '会计期间',
  table: 'accounting_month',
  key: 'accounting_period_sn',
  scope: 'organisation',
  display: 'period',
  sort: '-accounting_period_sn',
  fields: {
    period: f.text('会计期间', { readOnly: true }),
    state: f.pick('状态', { open: '未结账', closed: '已结账' }, { readOnly: true }),
    closed_by: f.text('结账人', { readOnly: true }),
    closed_at: f.instant('结账时间', { readOnly: true }),
    close_note: f.longText('结账时未处理', { readOnly: true }),
    close_reason: f.text('仍结账的原因', { readOnly: true }),
    reopened_by: f.text('反结账人', { readOnly: true }),
    reopened_at: f.instant('反结账时间', { readOnly: true }),
    reopen_reason: f.text('反结账原因', { readOnly: true }),
  },
  actions: {
    closePeriod: {
      label: '期间结账',
      tone: 'primary',
      note: '先看【月末检查】：未审核的入账单据须先处理；其他未处理的按【规则配置】禁止，或确认并填写原因后结账',
    },
    reopenPeriod: { label: '反结账', tone: 'danger', asksReason: true, reasonMsg: '请填写反结账原因' },
  },
  screens: [
    {
      route: '/commonView/stockFinance',
      title: '库存财务报表',
      orgs: 'HDV',
      menu: '财务管理',
      tab: '期间结账',
      purpose: '按月结账：结账前列出未处理的事项，未审核单据须先处理；结账后该月不能再记账，需要更正时反结账最近一个月',
      columns: [
        'period',
        'state',
        'closed_by',
        'closed_at',
        'close_note',
        'close_reason',
        'reopened_by',
        'reopened_at',
        'reopen_reason',
      ],
      filters: ['period', 'state'],
      actions: ['closePeriod', 'reopenPeriod'],
    },
  ],
})
