import type { ModuleHooks } from '#server/public/hooks.ts'
import { eInvoiceChannelRules } from '#modules/finance/invoicing/electronic/channel.server.ts'
import { eInvoiceLineRules, eInvoiceRules } from '#modules/finance/invoicing/electronic/e-invoice.server.ts'
import { pollDue } from '#modules/finance/invoicing/electronic/poll.server.ts'
import { chargeInvoiceRules } from '#modules/finance/invoicing/fees/charge-invoice.server.ts'
import { invoiceColumns } from '#modules/finance/invoicing/invoice-columns.server.ts'
import { inboundInvoiceRules, outboundInvoiceRules } from '#modules/finance/invoicing/invoices.server.ts'
import { draftMatchingDocument } from '#modules/finance/invoicing/match-received.server.ts'
import { invoicingPageRules } from '#modules/finance/invoicing/invoicing.page-rules.server.ts'
import { frequent } from '#server/public/jobs.ts'

export const invoicingHooks: ModuleHooks = {
  pageRules: [invoicingPageRules],
  documents: [inboundInvoiceRules, outboundInvoiceRules, chargeInvoiceRules],
  records: [eInvoiceRules, eInvoiceLineRules, eInvoiceChannelRules],
  listColumns: invoiceColumns,
  matchReceived: draftMatchingDocument,
  jobs: [frequent('poll_e_invoices', '电子发票结果查询', ({ app, owner }) => pollDue(app, owner))],
}
