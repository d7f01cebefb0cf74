import { documentOf } from '#kernel/registry.ts'
import type { Event } from '#server/traceability/chain.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** The field of a kind that says when it happened, where that is another moment than its posting. */
const fieldOf = (kind: string): string | undefined => documentOf(kind)?.compliance.happenedAt

/**
 * The times at which our own events happened by their documents, by the numbers of the events: a use of yesterday
 * evening may be written this morning. Other organisations see the moment of the posting.
 */
export async function happenedAt(
  tx: Tx,
  session: Session,
  events: readonly Event[],
): Promise<(event: Event) => string | null> {
  const ours = events.filter(event => event.org_id === session.org.id && fieldOf(event.document_kind) !== undefined)
  if (ours.length === 0) return () => null
  const rows = await tx<{ kind: string; sn: string; fields: Readonly<Record<string, unknown>> }[]>`
    select kind, sn, fields from document
     where org_id = ${session.org.id} and role = 'own' and sn = any(${ours.map(event => event.document_sn ?? '')})`
  const moments = new Map(rows.map(row => [`${row.kind}/${row.sn}`, row.fields[fieldOf(row.kind) ?? ''] ?? null]))
  return event =>
    event.org_id === session.org.id
      ? ((moments.get(`${event.document_kind}/${event.document_sn}`) as string | null | undefined) ?? null)
      : null
}
