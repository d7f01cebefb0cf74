import type { CopyRule } from '#kernel/definition/document-links.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { cameIntoForce, wasVoided } from '#server/documents/effective.ts'
import { enqueueMessage } from '#server/documents/intercompany/outbox.ts'
import { postingContext, postDocument } from '#server/documents/posting/post.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import { writeHistory } from '#server/documents/repository/history.ts'
import { loadDocuments } from '#server/documents/repository/load.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Books what the copy brings or takes here: goods that come get the dates of their lots. */
async function bookArrival(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  copy: StoredDocument,
  posts: NonNullable<CopyRule<never>['receiverPosts']>,
): Promise<void> {
  const posting = posts(copy as never, postingContext(session))
  const stockDirection = posting.moves?.some(move => move.to.at === 'loan') ? 'in' : 'none'
  const arriving = { ...definition, posting: { ...definition.posting, stockDirection } } as const
  await postDocument(tx, session, arriving, copy, posting)
}

/**
 * The same; where the kind says that it may be refused, what cannot be booked is answered: the copy is void, and the
 * document goes back to its author with the reason.
 */
export async function bookOrRefuse(
  tx: Tx,
  session: Session,
  from: { org: string; name: string },
  definition: AnyDocument,
  copy: StoredDocument,
  { receiverPosts, refusedBy }: CopyRule<never>,
): Promise<boolean> {
  if (!refusedBy) return bookArrival(tx, session, definition, copy, receiverPosts!).then(() => false)
  try {
    await tx.savepoint(inner => bookArrival(inner, session, definition, copy, receiverPosts!))
    return false
  } catch (error) {
    if (!(error instanceof BusinessError)) throw error
    const { label, to } = definition.actions[refusedBy]!
    await tx`update document set state = ${to}, version = version + 1
      where org_id = ${session.org.id} and id = ${copy.id}`
    const entry = { action: refusedBy, label, from: copy.state, to, reason: error.message }
    await writeHistory(tx, { ...session, userName: '系统' }, copy.id, entry)
    await enqueueMessage(tx, session, from.org, copy.id, {
      message: 'act',
      kind: copy.kind,
      sn: copy.sn,
      action: refusedBy,
      label,
      reason: error.message,
      actor: '系统',
      ...(to ? { to } : {}),
    })
    return true
  }
}

/** The same goods the other way. */
const opposite =
  (posts: NonNullable<CopyRule<never>['receiverPosts']>): NonNullable<CopyRule<never>['receiverPosts']> =>
  (doc, book) => ({
    moves: (posts(doc, book).moves ?? []).map(move => ({ ...move, from: move.to, to: move.from })),
  })

/** Once its owner has reviewed a document, the copy sent before is in force, and books what follows from that. */
export async function confirmCopy(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  id: string,
  rule: number,
  isTakenBack = false,
): Promise<void> {
  const [from, to] = isTakenBack ? ['reviewed', 'submitted'] : ['submitted', 'reviewed']
  await tx`update document set state = ${to}, reviewed_at = case when ${isTakenBack} then null else posting_now() end
    where org_id = ${session.org.id} and id = ${id} and state = ${from}`
  const [copy] = await loadDocuments(tx, session.org.id, [id])
  const send = definition.intercompany.copies?.[rule]
  const posts = send?.reviewed?.posts as CopyRule<never>['receiverPosts']
  if (posts) await bookArrival(tx, session, definition, copy!, isTakenBack ? opposite(posts) : posts)
  if (isTakenBack) await wasVoided(tx, session, definition, id)
  else await cameIntoForce(tx, session, definition, copy!)
}
