import { sourceTypes } from '#kernel/definition/source-type.ts'
import { customerSide, offsetOf } from '#modules/finance/payments/advances/offset-definition.ts'

/** 预收核销单: money that a customer paid in advance settles the customer's invoices. */
export const prereceiptOffset = offsetOf(customerSide, {
  kind: 'prereceiptOffset',
  numberPrefix: 'SKHX',
  open: '核销金额超过未收金额{n}',
  settled: [
    { from: 'outboundInvoice', for: 'odoInvoice', sourceType: sourceTypes.ODO_INVOICE },
    { from: 'openingReceivable', for: 'openingReceivable', sourceType: sourceTypes.OPENING_RECEIVABLE },
  ],
})
