import type { ModuleHooks } from '#server/public/hooks.ts'
import { loanColumns } from '#modules/goods/transfers/loan-columns.server.ts'
import { remindLoans } from '#modules/goods/transfers/loans.server.ts'
import { transferDocumentRules } from '#modules/goods/transfers/transfer.server.ts'
import { hourly } from '#server/public/jobs.ts'

export const transfersHooks: ModuleHooks = {
  documents: transferDocumentRules,
  listColumns: loanColumns,
  jobs: [hourly('remind_loans', '借出归还提醒', ({ owner }) => remindLoans(owner))],
}
