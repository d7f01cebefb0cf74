import { sourceTypes } from '#kernel/definition/source-type.ts'
import { customerSide, refundOf } from '#modules/finance/payments/advances/offset-definition.ts'

/** 预收退款单: money that a customer paid in advance is refunded. */
export const prereceiptRefund = refundOf(customerSide, {
  kind: 'prereceiptRefund',
  numberPrefix: 'SKTK',
  sourceType: sourceTypes.ADVANCE_RECEIPT,
})
