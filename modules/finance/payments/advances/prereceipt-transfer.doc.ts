import { sourceTypes } from '#kernel/definition/source-type.ts'
import { customerSide } from '#modules/finance/payments/advances/offset-definition.ts'
import { leftOver, transferOf, unsettled } from '#modules/finance/payments/advances/transfer-definition.ts'

/**
 * 转预收单: money that a customer paid on an invoice or an opening, or the part of a receipt matched with none, becomes a
 * prereceipt that may be bound to an order, set off and refunded.
 */
export const prereceiptTransfer = transferOf(customerSide, {
  kind: 'prereceiptTransfer',
  numberPrefix: 'ZYS',
  sources: [
    unsettled({ from: 'outboundInvoice', for: 'odoInvoice', sourceType: sourceTypes.ODO_INVOICE }),
    unsettled({ from: 'openingReceivable', for: 'openingReceivable', sourceType: sourceTypes.OPENING_RECEIVABLE }),
    leftOver({ from: 'receipt', for: 'receipt', sourceType: sourceTypes.RECEIPT }),
  ],
})
