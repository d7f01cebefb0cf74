import { feesSource } from '#modules/finance/invoicing/fees/fees-source.server.ts'
import type { InvoiceSource } from '#modules/finance/invoicing/electronic/invoice-source.server.ts'
import { goodsSource } from '#modules/finance/invoicing/electronic/goods-source.server.ts'

/** Kinds of documents that a provider issues invoices over. */
const sources: readonly InvoiceSource[] = [goodsSource, feesSource]

/** The invoice source of a kind; throws for a kind without electronic invoices. */
export function invoiceSourceOf(kind: string): InvoiceSource {
  const found = sources.find(source => source.kind === kind)
  if (!found) throw new Error(`${kind} is not invoiced electronically`)
  return found
}
