import { suppliersOf } from '#modules/lot-suppliers.server.ts'
import type { Acting } from '#server/engine/documents/acting.ts'
import type { StoredDoc } from '#server/engine/documents/stored.ts'
import { replaceLines } from '#server/engine/documents/write.ts'

/** Whose goods went into an operation stands on its lines. */
export async function withSuppliers({ tx, session, definition, doc }: Acting): Promise<StoredDoc> {
  const suppliers = await suppliersOf(tx, session, doc.lines)
  const lines = doc.lines.map(line => ({ ...line, supplier_sn: suppliers.get(line.line_no) ?? null }))
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  return { ...doc, lines }
}
