import { sourceTypes } from '#kernel/definition/source-type.ts'
import { supplierSide } from '#modules/finance/payments/advances/offset-definition.ts'
import { transferOf, unsettled } from '#modules/finance/payments/advances/transfer-definition.ts'

/** 转预付单: money paid on a supplier's invoice, or on an opening, becomes a prepayment. */
export const prepaymentTransfer = transferOf(supplierSide, {
  kind: 'prepaymentTransfer',
  numberPrefix: 'ZYF',
  sources: [
    unsettled({
      from: 'inboundInvoice',
      for: 'grnInvoice',
      sourceType: sourceTypes.GRN_INVOICE,
      alsoCounts: ['apply'],
    }),
    unsettled({
      from: 'openingPayable',
      for: 'openingPayable',
      sourceType: sourceTypes.OPENING_PAYABLE,
      alsoCounts: ['apply'],
    }),
  ],
})
