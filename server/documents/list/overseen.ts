import type { AnyDocument } from '#kernel/definition/document.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import type { PendingQuery, Row } from 'postgres'

/** True if the user oversees these documents: the platform's user, and a kind that the platform oversees. */
const isOverseer = (session: Session, { overseen }: AnyDocument): boolean =>
  overseen === true && session.org.type === 'P'

/** The rights of a user who oversees: to read and export documents of others, without patients and prices. */
export function asReader(session: Session, definition: AnyDocument): Session {
  if (!isOverseer(session, definition)) return session
  const { kind, screens } = definition
  const reading = [...screens.map(({ route }) => `page:${route}`), `${kind}.export`]
  const { flags } = session
  return { ...session, flags: new Set(flags === 'all' ? reading : reading.filter(flag => flags.has(flag))) }
}

/**
 * The session that documents are read with. The platform reads an overseen kind of all organisations, or one document
 * of `org`: from then on the transaction reads views without patients, prices, remarks and files.
 */
export async function readerOf(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  org: string | null,
): Promise<Session> {
  if (!isOverseer(session, definition)) return session
  await tx`select oversee_as(${session.org.id}, ${session.userId})`
  return {
    ...asReader(session, definition),
    ...(org === null ? { oversees: 'all' } : { oversees: 'one', org: { ...session.org, id: org } }),
  }
}

/** The organisations whose documents are read: the user's own, or all that the platform oversees. */
export const ofReader = (tx: Tx, { oversees, org }: Session, column = 'd.org_id'): PendingQuery<Row[]> =>
  oversees === 'all' ? tx`true` : tx`${tx(column)} = ${org.id}`
