import { INVOICE_LINES, readInvoice, type ReadInvoice } from '#modules/base/checks/read-invoice.ts'
import { sheetContent, titleOf } from '#server/public/file-reading.ts'

/** Reads the invoice in a file; null if it contains none. `other`: the kind of file, if it is no sheet at all. */
export default async function invoiceFile(
  bytes: Buffer,
): Promise<{ readonly read: ReadInvoice | null; readonly other: string | null }> {
  const content = await sheetContent(bytes, INVOICE_LINES)
  if ('other' in content) return { read: null, other: titleOf(content.other) }
  return { read: readInvoice(content), other: null }
}
