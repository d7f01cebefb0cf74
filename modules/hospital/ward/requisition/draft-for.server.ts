import { createDraft, createSystemDraft, definitionOf, type LineInput } from '#server/public/drafts.ts'
import { may, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * Creates a draft in the caller's name where he may write such documents, else in the system's, for a user who may;
 * returns its number.
 */
export async function draftFor(
  tx: Tx,
  session: Session,
  kind: string,
  header: Readonly<Record<string, unknown>>,
  lines: readonly LineInput[],
): Promise<string> {
  if (!may(session, `${kind}.add`)) return createSystemDraft(tx, session, kind, header, lines)
  return (await createDraft(tx, session, definitionOf(kind), { ...header, lines } as never)).sn
}
