import { BusinessError } from '#kernel/rules/errors.ts'
import { INVOICE_LINES, numbersOf, readInvoice, type ReadInvoice } from '#modules/base/checks/read-invoice.ts'
import { sheetContent, titleOf } from '#server/public/file-reading.ts'

/**
 * Reads the invoice in a file; null if it contains none. A file of several is refused: one would stand for all.
 * `other`: the kind of file, if it is no sheet at all.
 */
export default async function invoiceFile(
  bytes: Buffer,
): Promise<{ readonly read: ReadInvoice | null; readonly other: string | null }> {
  const content = await sheetContent(bytes, INVOICE_LINES)
  if ('other' in content) return { read: null, other: titleOf(content.other) }
  const numbers = numbersOf(content)
  if (numbers.length > 1)
    throw new BusinessError(
      'rule',
      `文件里有${numbers.length}张发票（${numbers.join('、')}），请拆成每张一个文件再上传`,
    )
  return { read: readInvoice(content), other: null }
}
