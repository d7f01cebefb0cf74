import type { Acting } from '#server/engine/documents/acting.ts'
import type { StoredDoc } from '#server/engine/documents/stored.ts'
import { replaceLines } from '#server/engine/documents/write.ts'

/** Whose goods went into an operation stands on its lines: their owner, and of what the house had bought whoever brought the lot last. */
export async function withSuppliers({ tx, session, definition, doc }: Acting): Promise<StoredDoc> {
  const org = session.org.id
  const bought = doc.lines.filter(line => !line.owner_org_sn || line.owner_org_sn === org)
  const brought =
    bought.length === 0
      ? []
      : await tx<{ line_no: number; supplier: string }[]>`
          select k.line_no, s.counterparty_id as supplier
            from jsonb_to_recordset(${tx.json(bought.map(line => ({ line_no: line.line_no, specification: line.specification_sn, lot: line.lot_no ?? '' })))}) as k(line_no int, specification bigint, lot text)
            join lateral (
              select d.counterparty_id from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
               where l.org_id = ${org} and l.lot_no = k.lot and l.specification_id = k.specification and d.kind in ('purchaseGrn', 'settlementGrn') and d.role = 'own'
                 and d.red_of_id is null and d.state in ('reviewed', 'partial', 'completed') and d.counterparty_id is not null
               order by d.reviewed_at desc, d.id desc limit 1) s on true`
  const lines = doc.lines.map(line => ({
    ...line,
    supplier_sn:
      line.owner_org_sn && line.owner_org_sn !== org
        ? line.owner_org_sn
        : (brought.find(row => row.line_no === line.line_no)?.supplier ?? null),
  }))
  await replaceLines(tx, org, definition, doc.id, lines)
  return { ...doc, lines }
}
