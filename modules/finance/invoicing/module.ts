import type { Module } from '#kernel/module.ts'
import { eInvoice, eInvoiceChannel, eInvoiceLine } from '#modules/finance/invoicing/electronic/e-invoice.entity.ts'
import { chargeInvoice } from '#modules/finance/invoicing/fees/charge-invoice.doc.ts'
import { grnInvoiceSearch, grnInvoices } from '#modules/finance/invoicing/grn-invoice-search.report.ts'
import { inboundInvoice } from '#modules/finance/invoicing/inbound-invoice.doc.ts'
import { odoInvoiceSearch, odoInvoices } from '#modules/finance/invoicing/odo-invoice-search.report.ts'
import { outboundInvoice } from '#modules/finance/invoicing/outbound-invoice.doc.ts'

export const invoicingModule: Module = {
  documents: [inboundInvoice, outboundInvoice, chargeInvoice],
  entities: [eInvoice, eInvoiceLine, eInvoiceChannel],
  reports: [grnInvoices, grnInvoiceSearch, odoInvoices, odoInvoiceSearch],
}
