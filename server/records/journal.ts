import { entityOf } from '#kernel/registry.ts'
import { logOperation } from '#server/audit/operation-log.ts'
import type { RecordRow } from '#server/records/hooks.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** The operation log's entry for one change to a record: who, what, and the row before and after by wire names. */
export type Entry = {
  readonly subject: string
  readonly action: string
  readonly key: string
  readonly before: Readonly<RecordRow> | null
  readonly after: Readonly<RecordRow> | null
}

export async function writeJournal(tx: Tx, session: Session, entry: Entry): Promise<void> {
  const definition = entityOf(entry.subject)
  const value = (entry.after ?? entry.before)?.[definition?.display ?? '']
  const name = definition?.fields[definition.display]?.choices?.[String(value)] ?? value
  await logOperation(tx, session, { ...entry, name: typeof name === 'string' ? name : null })
}
