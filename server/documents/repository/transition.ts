import type { State } from '#kernel/definition/document-state.ts'
import type { ActionContext } from '#server/documents/action/context.ts'
import { writeHistory } from '#server/documents/repository/history.ts'
import type { DocumentKey } from '#server/documents/repository/patch.ts'
import type { Session } from '#server/access/session.ts'
import { sendUnawaited, type Tx } from '#server/database/transaction.ts'

/** One step of a document from state to state, and what its history says of it. */
export type Transition = {
  readonly action: string
  readonly label: string
  /** The states from which it may go; in any other it stays as it is. */
  readonly from: readonly State[]
  readonly to: State | 'deleted'
  readonly reason?: string | null
}

/**
 * Moves a document to another state outside the path of actions: the state, the version, the history and the notice
 * to open pages in one place. Says whether it moved: in none of the states named, or when somebody was faster, it
 * stays as it is and nothing is written.
 */
export async function transition(
  tx: Tx,
  session: Session,
  { id, kind }: DocumentKey,
  { action, label, from, to, reason = null }: Transition,
): Promise<boolean> {
  const org = session.org.id
  const [standing] = await tx<{ state: State }[]>`
    select state from document where org_id = ${org} and id = ${id} and kind = ${kind} for update`
  if (!standing || !from.includes(standing.state)) return false
  await tx`update document set state = ${to}, version = version + 1 where org_id = ${org} and id = ${id}`
  await writeHistory(tx, session, id, { action, label, from: standing.state, to, reason })
  await sendUnawaited(tx, [tx`select pg_notify('medtrace', ${JSON.stringify({ org, about: kind })})`])
  return true
}

/**
 * Writes the state that the running action leads to before the action ends, because what follows from it takes from
 * the document as it will then be. Version, history and notice are the action's own.
 */
export async function stateAhead({ tx, session, doc }: ActionContext, to: State): Promise<void> {
  await tx`update document set state = ${to} where org_id = ${session.org.id} and id = ${doc.id}
    and state = ${doc.state}`
}
