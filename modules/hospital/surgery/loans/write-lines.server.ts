import type { ActionContext } from '#server/public/hooks.ts'
import { completeLines, type LineInput } from '#server/public/drafts.ts'
import { patchDocument, replaceLines, totalsOfLines } from '#server/public/documents.ts'

/** Adds the lines of an action to its draft, after the present ones; `instead`: in their place. */
export async function writeLines(ctx: ActionContext, inputs: readonly LineInput[], instead = false): Promise<void> {
  const { tx, session, doc, definition } = ctx
  const header = { ...doc } as never
  const added = await completeLines(tx, session, definition, header, inputs, doc.last_line_no, doc.id)
  const lines = instead ? added : [...doc.lines, ...added]
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  const { untaxed_amount, tax_amount, taxed_amount, line_count, total_quantity } = totalsOfLines(lines)
  const last_line_no = Math.max(doc.last_line_no, ...lines.map(line => line.line_no))
  const sums = { untaxed_amount, tax_amount, taxed_amount, line_count, total_quantity, last_line_no }
  await patchDocument(tx, session, doc, sums, 'withAction')
}
