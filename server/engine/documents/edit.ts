import type { AnyDocument } from '#kernel/document.ts'
import { documentRulesOf } from '#modules/registry.server.ts'
import type { Body } from '#server/engine/documents/body.ts'
import { editDocument } from '#server/engine/documents/draft.ts'
import { loadDocument } from '#server/engine/documents/load.ts'
import type { Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'

/** An edit, and what the kind's own rules make of what was written. */
export async function editPaper(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  body: Body,
): Promise<{ sn: string; version: number }> {
  const { edited } = documentRulesOf(definition.kind)
  if (!edited) return editDocument(tx, session, definition, body)
  const before = await loadDocument(tx, session.org.id, definition, String(body.sn ?? ''), { lock: true })
  const done = await editDocument(tx, session, definition, body)
  await edited(tx, session, before)
  return done
}
