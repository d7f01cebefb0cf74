import type { SourceRule } from '#kernel/definition/document-links.ts'
import type { BusinessDocument, Guard } from '#kernel/definition/document.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import {
  everyLineHasSource,
  hasLines,
  invoiceNumber,
  needs,
  notInFuture,
  notRecorded,
  redNamesBlue,
  someQuantity,
  type Has,
} from '#modules/base/vocabulary/validators.ts'
import { recording } from '#modules/finance/accounting/voucher-fields.ts'

/** The common parts of received and issued invoices: their life, their sources, and the columns of their lists. */

type Invoice = BusinessDocument &
  Has<'invoice_no' | 'invoice_code' | 'invoice_date' | 'is_red' | 'blue_invoice_no' | 'record_state'>

/** The life of an invoice: `sources` are the documents its lines come from, `required` its own fields at submit. */
export const invoiceLifecycle = <D extends Invoice>(says: {
  readonly partner: string
  readonly sources: string
  readonly required: readonly Guard<D>[]
  /** The guard of the invoice number: ours is given after submit, another organisation's invoice already has one. */
  readonly numbered: Guard<D>
  readonly rejectReason?: string
}) => {
  const life = postingLifecycle<D>({
    submit: [
      hasLines,
      needs('counterparty_sn', `请选择${says.partner}`),
      ...says.required,
      invoiceNumber,
      someQuantity,
      everyLineHasSource(`发票明细请选择${says.sources}`),
      notInFuture('invoice_date', '开票日期不能晚于今天'),
      redNamesBlue,
    ],
    review: [says.numbered, invoiceNumber],
    selfReviewMessage: '不能审核本人登记的发票',
    ...(says.rejectReason ? { rejectReason: says.rejectReason } : {}),
    blockedMessage: '发票已申请付款或收款，不能反审核',
  })
  return {
    ...life,
    unreview: { ...life.unreview, guards: [notRecorded('发票已记账，不能反审核')] },
    redReverse: { ...life.redReverse, guards: [notRecorded('发票已记账，请先取消记账')] },
    record: { ...recording.record, guards: [notRecorded('发票已记账')] },
    unrecord: recording.unrecord,
  }
}

/** Lines of another document that are invoiced, as far as they are not yet. */
export const invoices = (from: string, name: string, sourceType: number, more: Partial<SourceRule>): SourceRule => ({
  from,
  for: name,
  sourceType,
  purpose: 'invoice',
  overdrawnMessage: '开票数量超过未开票数量{n}',
  multipleSources: true,
  newestFirst: true,
  ...more,
})

/** Purchased goods that were delivered: returned goods are not invoiced. */
export const invoicesGoods = (from: string, name: string, sourceType: number): SourceRule =>
  invoices(from, name, sourceType, { regime: 'purchased', sharesLimitWith: ['return'] })

/** A red invoice over what was returned after it was invoiced. */
export const overReturns = (from: string, name: string, sourceType: number): SourceRule =>
  invoices(from, name, sourceType, {
    overdrawnMessage: '开票数量超过待开红字数量{n}',
    regime: 'purchased',
    negates: true,
  })

/** Columns that identify an invoice in a list, and its sums. */
const numbered = ['invoice_no', 'invoice_date'] as const
export const invoiceSums = ['untaxed_amount', 'tax_amount', 'taxed_amount', 'invoice_amount', 'rounding'] as const

/** The list of those who register invoices: its first columns, and its filters but the last. */
export const registeredColumns = [
  'sn',
  'counterparty_sn',
  'invoice_type',
  'invoice_code',
  ...numbered,
  ...invoiceSums,
  'is_red',
] as const
export const registeredFilters = [
  'sn',
  'counterparty_sn',
  'invoice_no',
  'invoice_type',
  'invoice_date',
  'source_sn',
  'specification_sn',
] as const

/** The same for finance, on a tab of one page each. */
export const financeColumns = ['sn', 'counterparty_sn', 'invoice_type', ...numbered, ...invoiceSums] as const
export const financeFilters = ['sn', 'counterparty_sn', ...numbered, 'accounting_period'] as const
export const financePage = {
  route: '/commonView/financeStaff/systemInvoice/inboundAndOutbound',
  title: '进销项发票（财务）',
  menu: '财务管理',
  states: ['submitted', 'reviewed', 'partial', 'completed', 'reversed'],
} as const
