import { derived, documentOf, documents } from '#kernel/registry.ts'
import { splitTax, type TaxRate } from '#kernel/values/tax-amounts.ts'
import { compare, isZero } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/documents/action/context.ts'
import { loadDocuments } from '#server/documents/repository/load.ts'
import type { StoredDocument, StoredLine } from '#server/documents/repository/document.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Kinds that correct what another document says. */
export const correctionKinds = derived(() =>
  documents()
    .filter(definition => definition.lineRules.correctedValues)
    .map(definition => definition.kind),
)
const standing = ['reviewed', 'completed']
/** A correction waiting for the other side is not in effect, but still holds the document. */
const holding = [...standing, 'partial']

/** Corrections in effect for lines of these documents, in the order in which they took effect. */
const amendmentsOf = (tx: Tx, org: string, sources: readonly string[], states: readonly string[] = standing) =>
  tx<{ id: string; sn: string }[]>`
    select d.id, d.sn from document d
     where d.org_id = ${org} and d.role = 'own' and d.kind = any(${correctionKinds()})
       and d.state = any(${states as string[]})
       and d.id in (select l.document_id from document_line l
         where l.org_id = ${org} and l.source_document_id = any(${sources as string[]}::bigint[]))
     order by d.reviewed_at, d.id`

/** A line as changed by a correction of all of it. */
function amendedBy(line: StoredLine, next: Partial<StoredLine>): StoredLine {
  const rate = (next.tax_rate ?? line.tax_rate) as TaxRate
  const amounts = next.taxed_amount === undefined ? {} : splitTax(next.taxed_amount, rate)
  const lot = next.lot_no === undefined || next.lot_no === line.lot_no ? {} : { lot_id: null }
  return { ...line, ...next, ...amounts, ...lot }
}

/**
 * Documents as their follow-ups see them: fully corrected lines have the correction's values. Partly corrected lines
 * stay as written, since it is unknown which part is meant. `except` is a correction that sees them without itself.
 */
export async function withCorrections(
  tx: Tx,
  org: string,
  docs: readonly StoredDocument[],
  except: string | null = null,
): Promise<StoredDocument[]> {
  if (docs.length === 0) return []
  const all = await amendmentsOf(
    tx,
    org,
    docs.map(doc => doc.id),
  )
  const found = all.filter(row => row.id !== except)
  if (found.length === 0) return [...docs]
  const stored = await loadDocuments(
    tx,
    org,
    found.map(row => row.id),
  )
  const order = found.flatMap(row => stored.find(document => document.id === row.id) ?? [])
  return docs.map(doc => ({
    ...doc,
    lines: doc.lines.map(line =>
      order.reduce((now, document) => {
        const change = document.lines.find(
          each => each.source_document_id === doc.id && each.source_line_no === line.line_no,
        )
        const whole = change && !isZero(line.base_quantity) && compare(change.base_quantity, line.base_quantity) === 0
        return whole ? amendedBy(now, documentOf(document.kind)!.lineRules.correctedValues!(change)) : now
      }, line),
    ),
  }))
}

/** A corrected document no longer says what was booked: reversing it would take back something else. */
export async function checkNotCorrected({ tx, session, doc, spec }: ActionContext): Promise<void> {
  const rows = await amendmentsOf(tx, session.org.id, [doc.id], holding)
  if (rows.length > 0)
    throw new BusinessError('blocked', `该单据已变更（${rows.map(row => row.sn).join('、')}），不能${spec.label}`)
}
