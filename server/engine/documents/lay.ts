import type { LineInput } from '#server/engine/documents/complete.ts'
import { composeDraft, storeDraft } from '#server/engine/documents/draft.ts'
import { definitionOf } from '#server/engine/documents/source-lines.ts'
import { type Session, systemSession } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'

/** Writes a paper that follows from a deed. Nobody is its author: it goes by itself while nobody touched it. Gives its number. */
export async function lay(
  tx: Tx,
  session: Session,
  kind: string,
  header: Readonly<Record<string, unknown>>,
  lines: readonly LineInput[] | null,
  state: 'draft' | 'submitted' = 'draft',
): Promise<string> {
  const definition = definitionOf(kind)
  const house = systemSession(session.org)
  const draft = await composeDraft(tx, house, definition, { ...header }, lines === null ? null : [...lines])
  return storeDraft(tx, house, definition, draft, state)
}
