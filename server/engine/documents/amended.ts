import { derived, documentOf, documents } from '#kernel/registry.ts'
import { splitTax, type TaxRate } from '#kernel/amounts.ts'
import { compare, isZero } from '#kernel/decimal.ts'
import { Refusal } from '#kernel/refusal.ts'
import type { Acting } from '#server/engine/documents/acting.ts'
import { loadDocuments } from '#server/engine/documents/load.ts'
import type { StoredDoc, StoredLine } from '#server/engine/documents/stored.ts'
import type { Tx } from '#server/engine/transaction.ts'

/** Kinds that set right what another paper says. */
export const amending = derived(() =>
  documents()
    .filter(definition => definition.amends)
    .map(definition => definition.kind),
)
const standing = ['reviewed', 'completed']
/** One that waits for the other side is not in force, and holds the paper all the same. */
const holding = [...standing, 'partial']

/** Papers in force that set lines of these papers right, in the order in which they were put in force. */
const amendmentsOf = (tx: Tx, org: string, sources: readonly string[], states: readonly string[] = standing) =>
  tx<{ id: string; sn: string }[]>`
    select d.id, d.sn from document d
     where d.org_id = ${org} and d.role = 'own' and d.kind = any(${amending()}) and d.state = any(${states as string[]})
       and d.id in (select l.document_id from document_line l where l.org_id = ${org} and l.source_document_id = any(${sources as string[]}::bigint[]))
     order by d.reviewed_at, d.id`

/** A line as a correction of all of it says it is. */
function amendedBy(line: StoredLine, next: Partial<StoredLine>): StoredLine {
  const rate = (next.tax_rate ?? line.tax_rate) as TaxRate
  const amounts = next.taxed_amount === undefined ? {} : splitTax(next.taxed_amount, rate)
  const lot = next.lot_no === undefined || next.lot_no === line.lot_no ? {} : { lot_id: null }
  return { ...line, ...next, ...amounts, ...lot }
}

/**
 * Papers as their follow-ups see them: lines that were corrected as a whole are what the correction says. What was corrected in part
 * stays as written, for nobody can say which part is meant. `except` is a correction that sees them without itself.
 */
export async function asAmended(
  tx: Tx,
  org: string,
  docs: readonly StoredDoc[],
  except: string | null = null,
): Promise<StoredDoc[]> {
  if (docs.length === 0) return []
  const all = await amendmentsOf(
    tx,
    org,
    docs.map(doc => doc.id),
  )
  const found = all.filter(row => row.id !== except)
  if (found.length === 0) return [...docs]
  const papers = await loadDocuments(
    tx,
    org,
    found.map(row => row.id),
  )
  const order = found.flatMap(row => papers.find(paper => paper.id === row.id) ?? [])
  return docs.map(doc => ({
    ...doc,
    lines: doc.lines.map(line =>
      order.reduce((now, paper) => {
        const change = paper.lines.find(
          each => each.source_document_id === doc.id && each.source_line_no === line.line_no,
        )
        const whole = change && !isZero(line.base_quantity) && compare(change.base_quantity, line.base_quantity) === 0
        return whole ? amendedBy(now, documentOf(paper.kind)!.amends!(change)) : now
      }, line),
    ),
  }))
}

/** What was set right is not what the paper says any more: its red mirror would take back something else. */
export async function refuseAmended({ tx, session, doc, spec }: Acting): Promise<void> {
  const rows = await amendmentsOf(tx, session.org.id, [doc.id], holding)
  if (rows.length > 0)
    throw new Refusal('blocked', `该单据已变更（${rows.map(row => row.sn).join('、')}），不能${spec.label}`)
}
