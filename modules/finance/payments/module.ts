import type { Module } from '#kernel/module.ts'
import { accountBalance } from '#modules/finance/payments/account-balance.entity.ts'
import { advanceItem } from '#modules/finance/payments/advances/advance-item.entity.ts'
import { prepaymentOffset } from '#modules/finance/payments/advances/prepayment-offset.doc.ts'
import { prepaymentRefund } from '#modules/finance/payments/advances/prepayment-refund.doc.ts'
import { prepaymentTransfer } from '#modules/finance/payments/advances/prepayment-transfer.doc.ts'
import { prepayment } from '#modules/finance/payments/advances/prepayment.doc.ts'
import { prereceiptOffset } from '#modules/finance/payments/advances/prereceipt-offset.doc.ts'
import { prereceiptRefund } from '#modules/finance/payments/advances/prereceipt-refund.doc.ts'
import { prereceiptTransfer } from '#modules/finance/payments/advances/prereceipt-transfer.doc.ts'
import { prereceipt } from '#modules/finance/payments/advances/prereceipt.doc.ts'
import { bankTransfer } from '#modules/finance/payments/bank/bank-transfer.report.ts'
import { bankWord } from '#modules/finance/payments/bank/bank-word.entity.ts'
import { paymentBatch } from '#modules/finance/payments/bank/payment-batch.doc.ts'
import { returnTable } from '#modules/finance/payments/bank/return-table.ts'
import { openItem } from '#modules/finance/payments/open-item.entity.ts'
import { openingPayable } from '#modules/finance/payments/openings/opening-payable.doc.ts'
import { openingReceivable } from '#modules/finance/payments/openings/opening-receivable.doc.ts'
import { paymentApplication } from '#modules/finance/payments/payment-application.doc.ts'
import { payment } from '#modules/finance/payments/payment.doc.ts'
import { receipt } from '#modules/finance/payments/receipt.doc.ts'

export const paymentsModule: Module = {
  documents: [
    openingReceivable,
    openingPayable,
    prepayment,
    prepaymentOffset,
    prepaymentRefund,
    prepaymentTransfer,
    prereceiptTransfer,
    prereceipt,
    prereceiptOffset,
    prereceiptRefund,
    paymentApplication,
    payment,
    receipt,
    paymentBatch,
  ],
  entities: [accountBalance, openItem, bankWord, advanceItem],
  reports: [bankTransfer],
  foreignTables: [returnTable],
}
