import type { Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'

export type HistoryEntry = {
  readonly action: string
  readonly label: string
  readonly from: string | null
  readonly to: string | null
  readonly reason?: string | null
  /** Questions that the actor confirmed by name. */
  readonly confirmed?: readonly string[]
}

/** One row of the paper's history, append-only. */
export async function writeHistory(tx: Tx, session: Session, document: string, entry: HistoryEntry): Promise<void> {
  await tx`
    insert into document_history (org_id, document_id, seq, action, label, from_state, to_state, actor_id, actor_name, actor_org_name, reason, confirmed)
    select d.org_id, d.id, coalesce((select max(h.seq) from document_history h where h.org_id = d.org_id and h.document_id = d.id), 0) + 1,
           ${entry.action}, ${entry.label}, ${entry.from}, ${entry.to}, ${session.userId}, ${session.userName}, ${session.org.name},
           ${entry.reason ?? null}, ${entry.confirmed ? tx.json(entry.confirmed as string[]) : null}
      from document d where d.org_id = ${session.org.id} and d.id = ${document}
    returning seq`
}
