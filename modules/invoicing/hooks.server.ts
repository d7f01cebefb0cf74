import { eInvoiceChannelRules } from '#modules/invoicing/electronic/channel.server.ts'
import { eInvoiceLineRules, eInvoiceRules } from '#modules/invoicing/electronic/e-invoice.server.ts'
import { pollDue } from '#modules/invoicing/electronic/poll.server.ts'
import { type BackgroundJob, frequent } from '#server/public/jobs.ts'
import type { RecordRules } from '#server/public/records.ts'

/** The database rules of this room's records. */
export const invoicingRecords: readonly RecordRules[] = [eInvoiceRules, eInvoiceLineRules, eInvoiceChannelRules]

/** This room's work in the background. */
export const invoicingJobs: readonly BackgroundJob[] = [
  frequent('poll_e_invoices', '电子发票结果查询', ({ app, owner }) => pollDue(app, owner)),
]
