import type { Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'

/** The same row in the histories of many papers of the house, whose states it leaves as they are: one statement. */
export const writeHistories = (
  tx: Tx,
  session: Session,
  documents: readonly string[],
  entry: { readonly action: string; readonly label: string; readonly reason: string },
) => tx`
  insert into document_history (org_id, document_id, seq, action, label, from_state, to_state, actor_id, actor_name, actor_org_name, reason)
  select d.org_id, d.id, coalesce((select max(h.seq) from document_history h where h.org_id = d.org_id and h.document_id = d.id), 0) + 1,
         ${entry.action}, ${entry.label}, d.state, d.state, ${session.userId}, ${session.userName}, ${session.org.name}, ${entry.reason}
    from document d where d.org_id = ${session.org.id} and d.id = any(${documents as string[]}::bigint[])`
