import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Tables of the organisation and the columns that may reference a row. */
export type Mentions = Readonly<Record<string, string | readonly string[]>>

/**
 * True if any row of the caller's organisation references this id; deleted documents count as well, they stay
 * readable.
 */
export async function everUsed(tx: Tx, session: Session, mentions: Mentions, id: string): Promise<boolean> {
  for (const [table, columns] of Object.entries(mentions)) {
    const named = [columns]
      .flat()
      .map(column => tx`${tx(column)} = ${id}`)
      .reduce((before, one) => tx`${before} or ${one}`)
    const [found] = await tx`select 1 from ${tx(table)} where org_id = ${session.org.id} and (${named}) limit 1`
    if (found) return true
  }
  return false
}
