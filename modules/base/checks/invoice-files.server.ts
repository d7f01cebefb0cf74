import { BusinessError } from '#kernel/rules/errors.ts'
import type { ReadInvoice } from '#modules/base/checks/read-invoice.ts'
import type { Tx } from '#server/public/database.ts'
import { fileReader, readStoredFiles } from '#server/public/files.ts'
import type { Session } from '#server/public/session.ts'

const invoiceFile = fileReader<typeof import('./invoice-file.server.ts').default>(
  new URL('./invoice-file.server.ts', import.meta.url),
)

/** The invoices in the files, by file name; files without one are left out. */
export async function invoicesIn(
  tx: Tx,
  session: Session,
  names: readonly string[],
): Promise<ReadonlyMap<string, ReadInvoice>> {
  const files = await readStoredFiles(tx, session, names, invoiceFile, undefined)
  return new Map(files.flatMap(({ read }, at) => (read?.read ? [[names[at]!, read.read] as const] : [])))
}

/** The same for files that must be invoices, in their order: a file without an invoice is refused. */
export async function mustBeInvoices(
  tx: Tx,
  session: Session,
  names: readonly string[],
): Promise<readonly ReadInvoice[]> {
  const files = await readStoredFiles(tx, session, names, invoiceFile, undefined)
  return files.map(({ name, read, refused }) => {
    if (refused) throw refused
    if (read.read) return read.read
    throw new BusinessError(
      'rule',
      read.other === null
        ? `文件【${name}】没有识别到发票，请上传原件或清晰的二维码照片，或手工登记`
        : `文件【${name}】是${read.other}，这里要发票的 PDF、OFD、XML 文件或照片`,
    )
  })
}
