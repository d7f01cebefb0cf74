import { type Decimal, isNegative, isPositive, subtract, sum, zero } from '#kernel/values/decimal.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { replaceLines, type StoredDocument, type StoredLine } from '#server/public/documents.ts'

type Invoiced = {
  document_id: string
  line_no: number
  base_quantity: Decimal
  taken: Record<string, Decimal> | null
  invoice_no: string | null
}

/** Our line that was invoiced: the one the return was made from, or the delivery behind what the customer returned. */
const invoicedLine = (line: StoredLine, kind: string, kinds: ReadonlyMap<string, string>) => {
  const ends = [
    [line.source_document_id, line.source_line_no],
    [line.delivery_document_id, line.delivery_line_no],
  ] as const
  const [id, no] = ends.find(([document]) => document !== null && kinds.get(document) === kind) ?? [null, null]
  return id === null ? null : `${id}/${no}`
}

/**
 * The quantity of each line that was already invoiced, so that a red invoice is due for it: uninvoiced quantities are
 * returned first. `kind` is the document whose lines are invoiced, `invoice` the kind of invoice over them.
 */
export async function withRedNeed(ctx: ActionContext, kind: string, invoice: string): Promise<StoredDocument> {
  const { tx, session, definition, doc } = ctx
  if (doc.regime === 'consigned') return doc
  const ids = doc.lines.flatMap(line => [line.source_document_id, line.delivery_document_id].filter(id => id !== null))
  const rows = await tx<Invoiced[]>`
    select l.document_id, l.line_no, l.base_quantity,
           (select jsonb_object_agg(g.purpose, g.taken::text) from line_progress g
             where g.org_id = l.org_id and g.document_id = l.document_id and g.line_no = l.line_no) as taken,
           (select string_agg(distinct v.fields->>'invoice_no', '、') from document_line x
             join document v on v.org_id = x.org_id and v.id = x.document_id
             where x.org_id = l.org_id and x.source_document_id = l.document_id and x.source_line_no = l.line_no
               and v.kind = ${invoice} and v.role = 'own'
               and v.state in ('reviewed', 'partial', 'completed')) as invoice_no
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${session.org.id} and d.kind = ${kind} and d.role = 'own'
       and d.id = any(${[...new Set(ids)]}::bigint[])`
  const kinds = new Map(rows.map(row => [row.document_id, kind]))
  const open = new Map(rows.map(row => [`${row.document_id}/${row.line_no}`, { row, free: freeOf(row) }]))
  const lines = doc.lines.map(line => {
    const found = open.get(invoicedLine(line, kind, kinds) ?? '')
    if (!found) return { ...line, red_quantity: '0.000' }
    const red = subtract(line.base_quantity, found.free, 3)
    found.free = isNegative(red) ? subtract(found.free, line.base_quantity, 3) : zero
    return { ...line, red_quantity: isPositive(red) ? red : '0.000', invoice_no: found.row.invoice_no }
  })
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  return { ...doc, lines }
}

/** The quantity that may still be returned without a red invoice. */
function freeOf({ base_quantity, taken }: Invoiced): Decimal {
  const gone = sum(
    ['invoice', 'return', 'reverse'].map(purpose => taken?.[purpose] ?? '0'),
    3,
  )
  const free = subtract(base_quantity, gone, 3)
  return isNegative(free) ? zero : free
}
