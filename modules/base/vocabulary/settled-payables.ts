import type { SourceRule } from '#kernel/definition/document-links.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'

/** The parts of the rule for settled documents that are the same for every kind that settles. */
export type Settled = Pick<SourceRule, 'from' | 'for' | 'sourceType' | 'alsoCounts' | 'rollup'>

/**
 * The debts to a supplier that may be set off, by money in advance or a fee: an invoice or an opening, which then
 * cannot be applied for; or an application that already holds them.
 */
export const settledPayables: readonly Settled[] = [
  { from: 'inboundInvoice', for: 'grnInvoice', sourceType: sourceTypes.GRN_INVOICE, alsoCounts: ['apply'] },
  {
    from: 'openingPayable',
    for: 'openingPayable',
    sourceType: sourceTypes.OPENING_PAYABLE,
    alsoCounts: ['apply'],
  },
  {
    from: 'paymentApplication',
    for: 'paymentApplication',
    sourceType: sourceTypes.PAYMENT_APPLICATION,
    rollup: [{ via: 'source', purpose: 'pay' }],
  },
]
