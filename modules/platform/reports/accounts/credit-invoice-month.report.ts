import { f } from '#kernel/definition/field.ts'
import { shows } from '#kernel/measure/measure.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { MONTH } from '#kernel/values/date.ts'

const figures = [
  'opening_amount',
  'booked_untaxed',
  'booked_tax',
  'booked_amount',
  'reversed_amount',
  'paid_amount',
  'offset_amount',
  'closing_amount',
] as const
const behind = { to: 'openItem', with: { counterparty_name: 'counterparty_name' } } as const

/**
 * 挂账发票月报: by supplier what was owed under checked invoices before the month, what was booked, reversed, paid and
 * offset in it, and what is owed after: closing = opening + booked - reversed - paid - offset. An invoice belongs to
 * the month in which it was checked. In yuan.
 */
export const creditInvoiceMonth = defineReport({
  kind: 'creditInvoiceMonth',
  title: '挂账发票月报',
  beside: {
    counterparty_sn: f.text('往来单位'),
  },
  sqlFile: 'platform/reports/accounts/credit-invoice-month.sql',
  wholeOnly: 'what is owed belongs to the organisation, not to a warehouse or department',
  parameters: {
    period: f.text('会计月份', {
      required: true,
      default: 'month',
      match: MONTH,
      matchMsg: '会计月份应为年-月，如 2026-11',
    }),
    counterparty_sn: f.ref('供应商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
  },
  columns: {
    counterparty_code: f.text('供应商编码'),
    counterparty_name: f.text('供应商名称'),
    opening_amount: f.amount('期初挂账金额'),
    opening_count: f.count('期初张数'),
    booked_count: f.count('本月挂账张数'),
    booked_untaxed: f.amount('本月挂账不含税'),
    booked_tax: f.amount('本月挂账税额'),
    booked_amount: f.amount('本月挂账金额'),
    reversed_amount: f.amount('本月红冲金额'),
    paid_amount: f.amount('本月付款金额', { hint: '含付款时的折让，不含预付款' }),
    offset_amount: f.amount('本月抵扣预付', { hint: '预付核销和服务费抵扣；转为预付的为负数' }),
    closing_amount: f.amount('期末挂账金额', shows(measures.payableBilled)),
    closing_count: f.count('期末张数'),
    overdue_amount: f.amount('其中逾期金额', shows(measures.overduePayable)),
  },
  totals: [...figures, 'overdue_amount'],
  drillDown: { closing_amount: behind, opening_amount: behind },
  screens: [
    {
      route: '/hospital/creditInvoiceMonthReport',
      title: '挂账发票月报',
      orgs: 'H',
      menu: '报表中心',
      purpose: '按月列出各供应商挂账发票的期初、新增、红冲、付款、抵扣和期末',
      columns: [
        'counterparty_code',
        'counterparty_name',
        'opening_amount',
        'opening_count',
        'booked_count',
        'booked_untaxed',
        'booked_tax',
        'booked_amount',
        'reversed_amount',
        'paid_amount',
        'offset_amount',
        'closing_amount',
        'closing_count',
        'overdue_amount',
      ],
      filters: [],
    },
  ],
})
