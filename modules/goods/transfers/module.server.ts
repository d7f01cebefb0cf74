import type { ModuleHooks } from '#server/public/hooks.ts'
import { transferColumns } from '#modules/goods/transfers/transfer-columns.server.ts'
import { remindLoans } from '#modules/goods/transfers/loans.server.ts'
import { transferDocumentRules } from '#modules/goods/transfers/transfer.server.ts'
import { hourly } from '#server/public/jobs.ts'

export const transfersHooks: ModuleHooks = {
  documents: transferDocumentRules,
  listColumns: transferColumns,
  jobs: [hourly('remind_loans', '借出归还提醒', ({ owner }) => remindLoans(owner))],
}
