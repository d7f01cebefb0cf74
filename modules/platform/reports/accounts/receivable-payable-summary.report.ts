import { f } from '#kernel/definition/field.ts'
import { shows } from '#kernel/measure/measure.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { orderlyPeriod, period } from '#modules/platform/reports/item-columns.ts'

/** Receivables of who sells, payables of who buys. */
export const directions = { payable: '应付', receivable: '应收' } as const
const behind = {
  to: 'receivablePayableDetail',
  with: {
    counterparty_sn: 'counterparty_sn',
    direction: 'direction',
    begin_date: '=begin_date',
    end_date: '=end_date',
  },
} as const

const figures = [
  'opening_amount',
  'raised_amount',
  'returned_amount',
  'settled_amount',
  'offset_amount',
  'rounding_amount',
  'closing_amount',
  'unbilled_amount',
  'billed_amount',
  'advance_amount',
  'invoiced_amount',
  'money_amount',
  'not_due_amount',
  'overdue_amount',
  'overdue_30',
  'overdue_90',
  'overdue_more',
] as const

const page = {
  route: '/commonView/receivablePayableForm',
  title: '应收应付汇总表',
  leads: true,
  menu: '财务管理',
  columns: ['counterparty_name', 'partner_type', ...figures, 'their_balance', 'difference_amount'],
  filters: [],
} as const
const purposeOf = (what: string): string =>
  `按往来单位列出期间内${what}的期初、增减、期末和账龄；期末等于未开票加已开票未结，账龄四段之和等于期末`

/**
 * 应收应付汇总: by partner the balance before, what moved it in the period and the balance after, from the entries of
 * the account ledger by the day of posting: closing = opening + raised - returned - settled - offset + rounding.
 * Openings from before the program belong to the opening, whenever they were entered. The partner's own figure is that
 * of the newest statement of the last day that he answered, or sent himself. In yuan, tax included.
 */
export const receivablePayableSummary = defineReport({
  kind: 'receivablePayableSummary',
  title: '应收应付汇总表',
  sqlFile: 'platform/reports/accounts/receivable-payable-summary.sql',
  wholeOnly: 'what is owed belongs to the organisation, not to a warehouse or department',
  parameters: {
    direction: f.pick('方向', directions, { default: 'payable' }),
    ...period,
    counterparty_sn: f.ref('往来单位', 'organisation'),
    balance: f.pick('余额', { some: '有余额', overdue: '有逾期' }),
    handler_inner_sn: f.ref('业务员/采购员', 'employee', { hint: '只列该员工经办过单据的往来单位，金额仍为全部' }),
    mine: f.pick('我的', { 1: '我的往来单位' }, { hint: '只列我编制或经办过订单与出入库单的往来单位，金额仍为全部' }),
  },
  validate: orderlyPeriod,
  columns: {
    counterparty_name: f.text('往来单位'),
    partner_type: f.pick('单位类型', { 0: '平台', 1: '医院', 2: '经销商', 3: '厂商' }),
    opening_amount: f.amount('期初余额'),
    raised_amount: f.amount('本期增加'),
    returned_amount: f.amount('本期退货'),
    settled_amount: f.amount('本期收/付款'),
    offset_amount: f.amount('本期预收/预付核销'),
    rounding_amount: f.amount('本期折让及尾差'),
    closing_amount: f.amount('期末余额', shows(measures.payable, measures.receivable)),
    unbilled_amount: f.amount('其中：未开票', shows(measures.payableEstimated, measures.receivableUnbilled)),
    billed_amount: f.amount('其中：已开票未结', shows(measures.payableBilled)),
    advance_amount: f.amount('预收/预付余额', shows(measures.prepaid, measures.prereceived)),
    invoiced_amount: f.amount('本期收票/开票', shows(measures.billed, measures.invoiced)),
    money_amount: f.amount('本期收/付款（含预收/预付）', shows(measures.paid, measures.collected)),
    not_due_amount: f.amount('未到期'),
    overdue_amount: f.amount('逾期', shows(measures.overduePayable, measures.overdueReceivable)),
    overdue_30: f.amount('逾期1-30天'),
    overdue_90: f.amount('逾期31-90天'),
    overdue_more: f.amount('逾期90天以上'),
    their_balance: f.amount('对方账面余额'),
    difference_amount: f.amount('差异'),
  },
  totals: [...figures],
  groupBy: ['partner_type'],
  drillDown: {
    opening_amount: behind,
    raised_amount: behind,
    returned_amount: behind,
    settled_amount: behind,
    offset_amount: behind,
    closing_amount: behind,
    difference_amount: {
      to: 'accountStatement',
      with: { counterparty_name: 'counterparty_name', end_date: '=end_date' },
    },
  },
  screens: [
    { ...page, tab: '应付', orgs: 'HDV', where: { direction: 'payable' }, purpose: purposeOf('应付') },
    { ...page, tab: '应收', orgs: 'DV', where: { direction: 'receivable' }, purpose: purposeOf('应收') },
  ],
})
