import { offsetOf, supplierSide } from '#modules/finance/payments/advances/offset-definition.ts'
import { settledPayables } from '#modules/base/vocabulary/settled-payables.ts'

/** 预付核销单: money paid in advance settles invoices; they cannot be applied for again. */
export const prepaymentOffset = offsetOf(supplierSide, {
  kind: 'prepaymentOffset',
  numberPrefix: 'YFHX',
  open: '核销金额超过发票未付金额{n}',
  settled: settledPayables,
})
