import type { CopyRule } from '#kernel/definition/document-links.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { enqueueMessage, holdersOf, sendCopies } from '#server/documents/intercompany/outbox.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Copies that were sent at submit and are in force from the review on. */

const rulesOf = ({ intercompany: { copies = [] } }: AnyDocument) =>
  copies.flatMap((send, rule) => (send.reviewed ? [{ rule, send: send as CopyRule<never> }] : []))

/** True if copies stay with their receivers when the review is taken back. */
export const keepsCopies = ({ intercompany: { copies = [] } }: AnyDocument): boolean =>
  copies.length > 0 && copies.every(send => send.reviewed?.staysSent)

/** Everyone who has a copy that waited for the review is notified of it. */
export async function confirmCopies(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  doc: StoredDocument,
  isTakenBack = false,
): Promise<void> {
  for (const { rule, send } of rulesOf(definition)) {
    const holders = await tx<{ to_org_id: string }[]>`
      select distinct to_org_id from intercompany_message
       where org_id = ${session.org.id} and document_id = ${doc.id} and message = 'document' and withdrawn_at is null
         and (payload->>'send')::int = ${rule}`
    const { label, text } = send.reviewed!
    for (const { to_org_id } of holders)
      await enqueueMessage(tx, session, to_org_id, doc.id, {
        message: 'notification',
        kind: doc.kind,
        sn: doc.sn,
        label: isTakenBack ? `${label}（已撤回）` : label,
        text: isTakenBack ? '对方撤回了审核' : text,
        sets: {},
        reviewed: rule,
        ...(isTakenBack ? { unreviewed: true } : {}),
      })
  }
}

/** After its review was taken back, a document waits again, and so do the copies of it. */
export async function resendWaiting(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  doc: StoredDocument,
): Promise<void> {
  if (keepsCopies(definition)) await confirmCopies(tx, session, definition, doc, true)
  else if (rulesOf(definition).length > 0) await sendCopies(tx, session, definition, doc, 'submit')
}

/**
 * Tells everyone who has a copy that stays with them (`staysSent`) that the document was reversed: our own side came
 * last, so it goes back first, and theirs follows by this message.
 */
export async function sendWithdrawal(tx: Tx, session: Session, doc: StoredDocument, label: string): Promise<void> {
  for (const holder of await holdersOf(tx, session.org.id, doc.id))
    await enqueueMessage(tx, session, holder, doc.id, { message: 'withdrawn', kind: doc.kind, sn: doc.sn, label })
  await tx`
    update intercompany_message set withdrawn_at = posting_now()
     where org_id = ${session.org.id} and document_id = ${doc.id} and message = 'document' and withdrawn_at is null`
}
