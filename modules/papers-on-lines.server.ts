import type { Acting } from '#server/public/hooks.ts'
import { replaceLines, type StoredLine } from '#server/public/documents.ts'

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

/** Puts lines that name papers and no goods behind those that stand on a document, and counts them with them. */
export async function addPaperLines(
  { tx, session, definition, doc }: Acting,
  papers: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const lines = papers.map(
    (paper, at) => ({ ...nothing, ...paper, line_no: doc.last_line_no + at + 1 }) as unknown as StoredLine,
  )
  await replaceLines(tx, session.org.id, definition, doc.id, [...doc.lines, ...lines])
  await tx`
    update document set line_count = ${doc.lines.length + lines.length}, last_line_no = ${doc.last_line_no + lines.length} where org_id = ${session.org.id} and id = ${doc.id}`
}
