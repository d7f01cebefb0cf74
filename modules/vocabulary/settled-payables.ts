import type { SourceRule } from '#kernel/definition/document-links.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'

/** What a document settles, as far as it is the same for every kind that does. */
export type Settled = Pick<SourceRule, 'from' | 'for' | 'sourceType' | 'alsoCounts' | 'rollup'>

/**
 * What is owed a supplier and may be set off, by money in advance or a fee: an invoice or an opening, which then cannot
 * be applied for; or an application that already holds them.
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
