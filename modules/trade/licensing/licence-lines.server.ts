import type { ActionContext } from '#server/public/hooks.ts'
import { patchDocument, replaceLines, type StoredLine } from '#server/public/documents.ts'

const nothing = {
  quantity: '0',
  base_quantity: '0',
  price: '0',
  tax_rate: 0,
  untaxed_amount: '0',
  tax_amount: '0',
  taxed_amount: '0',
  unit_codes: [],
} as const

/** Appends lines that name licences and no goods to those of a document, and numbers them on. */
export async function addLicenceLines(
  { tx, session, definition, doc }: ActionContext,
  licences: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const lines = licences.map(
    (licence, at) => ({ ...nothing, ...licence, line_no: doc.last_line_no + at + 1 }) as unknown as StoredLine,
  )
  await replaceLines(tx, session.org.id, definition, doc.id, [...doc.lines, ...lines])
  const counts = { line_count: doc.lines.length + lines.length, last_line_no: doc.last_line_no + lines.length }
  await patchDocument(tx, session, doc, counts, 'withAction')
}
