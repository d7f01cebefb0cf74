import type { Sql } from 'postgres'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { type Decimal, negate, sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { deliverDocument } from '#server/documents/intercompany/deliver.ts'
import { sendCopies } from '#server/documents/intercompany/outbox.ts'
import { loadDocument } from '#server/documents/repository/load.ts'
import { remainingLines, existingReversals } from '#server/documents/lines/reversal-lines.ts'
import { definitionOf } from '#server/documents/sources/open-source.ts'
import { markLost, markWithdrawn, releaseCopy, sentCopies } from '#server/documents/intercompany/withdraw.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import type { Session } from '#server/access/session.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'

/**
 * Sends the remaining content of a document again to everyone who released it without a follow-up message: our own
 * step failed after theirs. Returns whether anything was sent; the caller delivers it.
 */
function resendCopies(sql: Sql, session: Session, definition: AnyDocument, sn: string): Promise<boolean> {
  const org = session.org.id
  return inOrganisation(sql, org, session.userId, async tx => {
    const doc = await loadDocument(tx, org, definition, sn, { lock: true })
    const at =
      doc.state === 'submitted' ? 'submit' : ['reviewed', 'partial', 'completed'].includes(doc.state) ? 'review' : null
    const lost = new Set((await letGoOf(tx, org, doc.id)).map(row => row.to_org_id))
    if (lost.size === 0) return false
    await markWithdrawn(tx, org, doc.id)
    if (!at) return false
    const reds = await existingReversals(tx, org, doc.id)
    const taken = new Map<number, Decimal>()
    for (const red of reds.lines)
      taken.set(red.line_no, sum([taken.get(red.line_no) ?? '0', negate(red.base_quantity)], 3))
    const lines = reds.lines.length === 0 ? doc.lines : remainingLines(doc.lines, reds.lines, taken)
    const sent = await sendCopies(tx, session, definition, { ...doc, lines }, at, lost)
    return sent.length > 0
  })
}

const letGoOf = (tx: Tx, org: string, document: string) =>
  tx<{ to_org_id: string }[]>`
    select to_org_id from intercompany_message
     where org_id = ${org} and document_id = ${document} and message = 'document' and withdrawn_at is not null
       and taken_back_at is null`

/**
 * Our own step failed after the other side was asked: wherever that ended, its copies are released to the end, and it
 * gets the document again. Where it refuses, it keeps what it has.
 */
export async function restoreCopies(sql: Sql, session: Session, definition: AnyDocument, sn: string): Promise<void> {
  const lost = (await sentCopies(sql, session, sn)).filter(sent => sent.withdrawn_at !== null)
  if (lost.length === 0) return
  for (const sent of lost)
    try {
      await releaseCopy(sql, session, definition, sn, sent, '撤回')
    } catch (error) {
      if (!(error instanceof BusinessError)) throw error
      await markLost(sql, session, sent, false)
    }
  if (await resendCopies(sql, session, definition, sn)) await deliverDocument(sql, session.org.id, sn)
}

/** If more time passes between the other side's step and ours, ours has crashed. */
const DEAD_AFTER_MINUTES = 2

/** Repairs what a crash left between the two sides: each copy released for nothing is sent again. */
export async function repairWithdrawals(sql: Sql, owner: Sql): Promise<void> {
  const lost = await owner<{ org_id: string; sn: string; kind: string }[]>`
    select distinct h.org_id, d.sn, d.kind from intercompany_message h
      join document d on d.org_id = h.org_id and d.id = h.document_id
     where h.message = 'document' and h.withdrawn_at < now() - make_interval(mins => ${DEAD_AFTER_MINUTES})
       and h.taken_back_at is null order by h.org_id, d.sn limit 50`
  for (const { org_id, sn, kind } of lost)
    await restoreCopies(sql, await systemSessionOf(sql, org_id), definitionOf(kind), sn)
}
