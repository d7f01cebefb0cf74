import type { ModuleHooks } from '#server/public/hooks.ts'
import { advanceRules } from '#modules/finance/payments/advances/advances.server.ts'
import { prepaidColumns } from '#modules/finance/payments/advances/prepaid-columns.server.ts'
import { bookedState } from '#modules/finance/payments/booked-payments.server.ts'
import { bankWordRules, paymentBatchRules } from '#modules/finance/payments/bank/payment-batch.server.ts'
import { dueColumns } from '#modules/finance/payments/due-columns.server.ts'
import { openingPayableRules, openingReceivableRules } from '#modules/finance/payments/openings/openings.server.ts'
import { paymentPageRules } from '#modules/finance/payments/payments.page-rules.server.ts'
import {
  accountBalanceRules,
  paymentApplicationRules,
  paymentRules,
  receiptRules,
} from '#modules/finance/payments/payments.server.ts'

export const paymentsHooks: ModuleHooks = {
  pageRules: [paymentPageRules],
  documents: [
    openingReceivableRules,
    openingPayableRules,
    ...advanceRules,
    paymentApplicationRules,
    receiptRules,
    paymentRules,
    paymentBatchRules,
  ],
  records: [accountBalanceRules, bankWordRules],
  listColumns: { ...dueColumns, ...prepaidColumns, booked_state: bookedState },
}
