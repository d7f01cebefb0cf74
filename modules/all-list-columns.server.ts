import type { Hooks } from '#server/public/hooks.ts'
import { advanceColumns } from '#modules/sales/advance-columns.server.ts'
import { approvalColumns } from '#modules/compliance/approval-columns.server.ts'
import { dueColumns } from '#modules/payments/due-columns.server.ts'
import { implantColumns } from '#modules/ward/implants/implant-columns.server.ts'
import { invoiceColumns } from '#modules/invoicing/invoice-columns.server.ts'
import { loanColumns } from '#modules/transfers/loan-columns.server.ts'
import { pickingColumns } from '#modules/ward/issuing/picking-columns.server.ts'
import { qualityColumns } from '#modules/quality/quality-columns.server.ts'
import { prepaidColumns } from '#modules/payments/advances/prepaid-columns.server.ts'
import { pushColumns } from '#modules/his/receipts/receipt-push.server.ts'
import { quotationColumns } from '#modules/purchasing/rfq/quotation-columns.server.ts'
import { receivingColumns } from '#modules/stock/receipts/expected-receipts.server.ts'
import { surgeryColumns } from '#modules/surgery/loans/loan-columns.server.ts'
import { settlementFigures } from '#modules/settlement/settlement-columns.server.ts'
import { settlementColumns } from '#modules/settlement/settled-stage.server.ts'

/** Columns of document lists that are computed from elsewhere than the document. */
export const listColumns: Hooks['listColumns'] = {
  ...advanceColumns,
  ...approvalColumns,
  ...dueColumns,
  ...implantColumns,
  ...invoiceColumns,
  ...loanColumns,
  ...pickingColumns,
  ...prepaidColumns,
  ...pushColumns,
  ...qualityColumns,
  ...quotationColumns,
  ...receivingColumns,
  ...settlementColumns,
  ...settlementFigures,
  ...surgeryColumns,
}
