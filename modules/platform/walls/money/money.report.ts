import { f } from '#kernel/definition/field.ts'
import { shows } from '#kernel/measure/measure.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { wallDays } from '#modules/platform/walls/wall-days.ts'

const wholeOnly = 'money is owed to a supplier over all stores and departments'
export const ages = {
  month: '0-30天',
  two: '31-60天',
  quarter: '61-90天',
  half: '91-180天',
  older: '180天以上',
} as const
const partner = { counterparty_name: f.text('供应商'), counterparty_sn: f.text('供应商编号') } as const

const ofDays = {
  wholeOnly,
  parameters: { ...wallDays, counterparty_sn: f.ref('往来单位', 'organisation') },
  screens: [],
} as const
const invoices = { ...ofDays, sqlFile: 'platform/walls/money/invoices.sql' } as const
const payments = { ...ofDays, sqlFile: 'platform/walls/money/payments.sql' } as const
const payable = { direction: 'payable' } as const
const receivable = { direction: 'receivable' } as const

/** 发票: invoices of suppliers by the day of posting, in yuan with tax. */
export const invoicesOfPeriod = defineReport({
  ...invoices,
  kind: 'wallInvoices',
  title: '进项发票',
  fixed: payable,
  columns: { day: f.day('记账日期'), ...partner, amount: f.amount('收票金额', shows(measures.billed)) },
})
/** The same that were written to customers. */
export const invoicesWritten = defineReport({
  ...invoices,
  kind: 'wallInvoicesWritten',
  title: '销项发票',
  fixed: receivable,
  columns: { day: f.day('记账日期'), ...partner, amount: f.amount('开票金额', shows(measures.invoiced)) },
})

/** 付款: what was paid, in advance as well, by the day of posting, in yuan. */
export const paymentsOfPeriod = defineReport({
  ...payments,
  kind: 'wallPayments',
  title: '付款',
  fixed: payable,
  columns: { day: f.day('记账日期'), ...partner, amount: f.amount('付款金额', shows(measures.paid)) },
})
/** 回款: what customers paid. */
export const moneyReceived = defineReport({
  ...payments,
  kind: 'wallMoneyReceived',
  title: '回款',
  fixed: receivable,
  columns: { day: f.day('记账日期'), ...partner, amount: f.amount('收款金额', shows(measures.collected)) },
})

/** 应付余额: what the account says that is owed to each supplier, billed or not. */
export const payables = defineReport({
  kind: 'wallPayables',
  title: '应付余额',
  sqlFile: 'platform/walls/money/payables.sql',
  wholeOnly,
  parameters: {},
  columns: {
    ...partner,
    estimated: f.amount('暂估应付', shows(measures.payableEstimated)),
    invoiced: f.amount('已开票应付', shows(measures.payableBilled)),
    amount: f.amount('应付余额', shows(measures.payable)),
  },
  screens: [],
})

/** 账龄: what is open of the items of each supplier, by the days since their date. */
export const unpaidInvoices = defineReport({
  kind: 'wallUnpaidInvoices',
  title: '账龄',
  sqlFile: 'platform/walls/money/unpaid.sql',
  wholeOnly,
  parameters: {},
  columns: {
    ...partner,
    age: f.pick('账龄', ages),
    amount: f.amount('未付金额', shows(measures.payableBilled)),
    invoices: f.count('发票'),
  },
  screens: [],
})

/** 付款状态: what of the invoices of the period waits for an application, for the payment, or is paid. */
export const paymentStates = defineReport({
  kind: 'wallPaymentStates',
  title: '付款状态',
  sqlFile: 'platform/walls/money/payment-states.sql',
  wholeOnly,
  parameters: { ...wallDays },
  columns: {
    status: f.pick('付款状态', { 1: '待申请', 2: '已申请待付款', 3: '付款完成' }),
    amount: f.amount('金额'),
    invoices: f.count('发票'),
  },
  screens: [],
})
