import type { Sql } from 'postgres'
import type { AnyDocument } from '#kernel/document.ts'
import { type Decimal, negate, sum } from '#kernel/decimal.ts'
import { sendCopies } from '#server/engine/documents/hand-over.ts'
import { loadDocument } from '#server/engine/documents/load.ts'
import { remainder, standingMirrors } from '#server/engine/documents/mirror-parts.ts'
import type { Session } from '#server/engine/session.ts'
import { inOrg } from '#server/engine/transaction.ts'

/**
 * Sends what still stands of a paper to everybody whose last copy was withdrawn: our own step failed after they had let go.
 * Says whether anything was sent; the caller delivers it.
 */
export function sendAgain(sql: Sql, session: Session, definition: AnyDocument, sn: string): Promise<boolean> {
  const org = session.org.id
  return inOrg(sql, org, session.userId, async tx => {
    const doc = await loadDocument(tx, org, definition, sn, { lock: true })
    const at =
      doc.state === 'submitted' ? 'submit' : ['reviewed', 'partial', 'completed'].includes(doc.state) ? 'review' : null
    if (!at) return false
    const last = await tx<{ to_org_id: string; withdrawn: boolean }[]>`
      select distinct on (to_org_id) to_org_id, coalesce(last_error, '') = 'withdrawn' as withdrawn from hand_over
       where org_id = ${org} and document_id = ${doc.id} and message = 'paper' order by to_org_id, created_at desc, id desc`
    const lost = new Set(last.filter(row => row.withdrawn).map(row => row.to_org_id))
    if (lost.size === 0) return false
    const reds = await standingMirrors(tx, org, doc.id)
    const taken = new Map<number, Decimal>()
    for (const red of reds.lines)
      taken.set(red.line_no, sum([taken.get(red.line_no) ?? '0', negate(red.base_quantity)], 3))
    const lines = reds.lines.length === 0 ? doc.lines : remainder(doc.lines, reds.lines, taken)
    const sent = await sendCopies(tx, session, definition, { ...doc, lines }, at, lost)
    return sent.length > 0
  })
}
