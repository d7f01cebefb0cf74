import type { AnyDocument } from '#kernel/document.ts'
import { documentRulesOf } from '#server/registry/hooks.ts'
import type { Body } from '#server/engine/documents/body.ts'
import { editDocument } from '#server/engine/documents/draft.ts'
import { loadDocument } from '#server/engine/documents/load.ts'
import { mustBeAllowed, type Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'

type Saved = { readonly sn: string; readonly version: number }

/** An edit, and what the kind's own rules make of what was written. */
export async function editPaper(tx: Tx, session: Session, definition: AnyDocument, body: Body): Promise<Saved> {
  mustBeAllowed(session, `${definition.kind}.edit`)
  const { edited, written } = documentRulesOf(definition.kind)
  const before = edited
    ? await loadDocument(tx, session.org.id, definition, String(body.sn ?? ''), { lock: true })
    : null
  const saved = await editDocument(tx, session, definition, body)
  if (before) await edited?.(tx, session, before)
  await written?.(tx, session, saved.sn)
  return saved
}
