import type { JSONValue } from 'postgres'
import type { RecordRow } from '#server/engine/records/rules.ts'
import type { Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'

/** What the operation log keeps of one change to a record: who, what, and the row before and after by wire names. */
export type Entry = {
  readonly subject: string
  readonly action: string
  readonly key: string
  readonly before: Readonly<RecordRow> | null
  readonly after: Readonly<RecordRow> | null
}

export async function writeJournal(tx: Tx, session: Session, entry: Entry): Promise<void> {
  const json = (row: Readonly<RecordRow> | null) => (row === null ? null : tx.json(row as JSONValue))
  await tx`
    insert into operation_log (org_id, user_id, actor_name, subject, action, object_key, before, after, address)
    values (${session.org.id}, ${session.userId}, ${session.userName}, ${entry.subject}, ${entry.action}, ${entry.key},
            ${json(entry.before)}, ${json(entry.after)}, ${session.address})`
}
