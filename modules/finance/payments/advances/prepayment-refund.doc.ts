import { sourceTypes } from '#kernel/definition/source-type.ts'
import { refundOf, supplierSide } from '#modules/finance/payments/advances/offset-definition.ts'

/** 预付退款单: the supplier refunds money that was paid in advance. */
export const prepaymentRefund = refundOf(supplierSide, {
  kind: 'prepaymentRefund',
  numberPrefix: 'YFTK',
  sourceType: sourceTypes.ADVANCE_PAYMENT,
})
