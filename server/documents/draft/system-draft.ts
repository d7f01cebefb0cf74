import type { LineInput } from '#server/documents/lines/complete.ts'
import { buildDraft, saveDraft } from '#server/documents/draft/draft.ts'
import { definitionOf } from '#server/documents/sources/open-source.ts'
import { type Session, systemSession } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/**
 * Creates a document that follows from an action. It has no author: it is cancelled automatically while no one has
 * edited it. Returns its number.
 */
export async function createSystemDraft(
  tx: Tx,
  session: Session,
  kind: string,
  header: Readonly<Record<string, unknown>>,
  lines: readonly LineInput[] | null,
  state: 'draft' | 'submitted' = 'draft',
): Promise<string> {
  const definition = definitionOf(kind)
  const organisation = systemSession(session.org)
  const draft = await buildDraft(tx, organisation, definition, { ...header }, lines === null ? null : [...lines])
  return saveDraft(tx, organisation, definition, draft, state)
}
