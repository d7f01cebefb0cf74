import { suppliersOf } from '#modules/goods/stock/balances/lot-suppliers.server.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { replaceLines, type StoredDocument } from '#server/public/documents.ts'
import type { Tx } from '#server/public/database.ts'

/** The suppliers of the goods used in an operation are on its lines. */
export async function withSuppliers({ tx, session, definition, doc }: ActionContext): Promise<StoredDocument> {
  const suppliers = await suppliersOf(tx, session, doc.lines)
  const lines = doc.lines.map(line => ({ ...line, supplier_sn: suppliers.get(line.line_no) ?? null }))
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  return { ...doc, lines }
}

/** The names of the suppliers on the lines. */
export async function supplierNames(
  tx: Tx,
  lines: readonly Readonly<Record<string, unknown>>[],
): Promise<ReadonlyMap<string, string>> {
  const ids = lines.flatMap(line => (line.supplier_sn ? [String(line.supplier_sn)] : []))
  const rows = await tx<{ id: string; name: string }[]>`
    select id, name from organisation where id = any(${ids}::bigint[])`
  return new Map(rows.map(row => [row.id, row.name]))
}
