import { enqueueMessage } from '#server/public/intercompany.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'
import type { StoredDocument } from '#server/public/documents.ts'

/** The outcome of a document that our organisation made from another organisation's document. */
export type Answer = {
  readonly action: string
  readonly label: string
  readonly reason: string | null
  /** Own header fields then set on the other side's document. */
  readonly sets: Readonly<Record<string, string | null>>
}

/**
 * Writes what happened here into the history of the document that ours was made from, at the organisation that sent it.
 * Nothing is written if our document was made from no copy or from a withdrawn one.
 */
export async function answerOwner(tx: Tx, session: Session, doc: StoredDocument, answer: Answer): Promise<void> {
  if (!doc.source_document_id) return
  const [copy] = await tx<{ kind: string; sn: string; from_org_id: string }[]>`
    select kind, sn, from_org_id from document where org_id = ${session.org.id} and id = ${doc.source_document_id}
      and role = 'counterparty' and state <> 'cancelled'`
  if (!copy) return
  const said = { ...answer, actor: session.userName }
  await enqueueMessage(tx, session, copy.from_org_id, doc.id, { message: 'act', kind: copy.kind, sn: copy.sn, ...said })
}
