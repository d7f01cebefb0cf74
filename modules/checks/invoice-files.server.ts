import { readInvoice, type ReadInvoice } from '#modules/checks/read-invoice.ts'
import { fileBytes, sheetContent } from '#server/public/files.ts'
import type { Tx } from '#server/public/database.ts'

const MOST_MEGABYTES = 20

/** What the file of this name says of its invoice; null where it says nothing. `file`: as its user called it. */
export async function invoiceIn(
  tx: Tx,
  name: string,
): Promise<{ readonly file: string; readonly read: ReadInvoice | null }> {
  const { name: file, bytes } = await fileBytes(tx, name, MOST_MEGABYTES)
  const content = await sheetContent(bytes, name)
  return { file, read: content && readInvoice(content) }
}
