import { suppliersOf } from '#modules/lot-suppliers.server.ts'
import type { Acting } from '#server/public/hooks.ts'
import { replaceLines, type StoredDoc } from '#server/public/documents.ts'

/** Whose goods went into an operation stands on its lines. */
export async function withSuppliers({ tx, session, definition, doc }: Acting): Promise<StoredDoc> {
  const suppliers = await suppliersOf(tx, session, doc.lines)
  const lines = doc.lines.map(line => ({ ...line, supplier_sn: suppliers.get(line.line_no) ?? null }))
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  return { ...doc, lines }
}
