import { f } from '#kernel/definition/field.ts'
import { shows } from '#kernel/measure/measure.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { notAhead } from '#modules/platform/reports/item-columns.ts'

const figures = [
  'invoice_amount',
  'paid_amount',
  'open_amount',
  'not_due_amount',
  'overdue_30',
  'overdue_90',
  'overdue_180',
  'overdue_more',
] as const

/**
 * 挂账发票汇总: at the end of a day, what is unpaid of checked invoices and openings by supplier and age: the bands add
 * up to the unpaid amount, which on the last day of a month is the closing of the month's list. In yuan, tax included.
 */
export const creditInvoiceSummary = defineReport({
  kind: 'creditInvoiceSummary',
  title: '挂账发票汇总表',
  beside: {
    counterparty_sn: f.text('往来单位'),
  },
  sqlFile: 'platform/reports/accounts/credit-invoice-summary.sql',
  wholeOnly: 'what is owed belongs to the organisation, not to a warehouse or department',
  parameters: {
    end_date: f.day('截止日期', { required: true, default: 'today' }),
    counterparty_sn: f.ref('供应商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
    overdue: f.pick('是否逾期', { yes: '有逾期' }),
  },
  validate: notAhead,
  columns: {
    counterparty_code: f.text('供应商编码'),
    counterparty_name: f.text('供应商名称'),
    invoice_count: f.count('发票张数'),
    invoice_amount: f.amount('发票金额'),
    paid_amount: f.amount('已付金额'),
    open_amount: f.amount('未付金额', shows(measures.payableBilled)),
    not_due_amount: f.amount('未到期'),
    overdue_30: f.amount('逾期30天内'),
    overdue_90: f.amount('逾期31-90天'),
    overdue_180: f.amount('逾期91-180天'),
    overdue_more: f.amount('逾期180天以上'),
    advance_amount: f.amount('预付余额', shows(measures.prepaid)),
    net_amount: f.amount('净应付'),
    payment_days: f.count('账期(天)'),
    first_day: f.day('最早开票日期'),
  },
  totals: [...figures, 'advance_amount', 'net_amount'],
  drillDown: { open_amount: { to: 'openItem', with: { counterparty_name: 'counterparty_name' } } },
  screens: [
    {
      route: '/hospital/creditInvoiceSummaryReport',
      title: '挂账发票汇总表',
      orgs: 'H',
      menu: '报表中心',
      purpose: '截止某日各供应商未付发票按逾期天数分段，作为付款计划的依据',
      columns: [
        'counterparty_code',
        'counterparty_name',
        'invoice_count',
        ...figures,
        'advance_amount',
        'net_amount',
        'payment_days',
        'first_day',
      ],
      filters: [],
    },
  ],
})
