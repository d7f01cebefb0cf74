import type { AnyDocument } from '#kernel/definition/document.ts'
import { documentRulesOf } from '#server/registry/hooks.ts'
import type { DocumentInput } from '#server/documents/draft/input.ts'
import { checkHeaderNames } from '#server/documents/draft/input.ts'
import { editDraft } from '#server/documents/draft/draft.ts'
import { loadDocument } from '#server/documents/repository/load.ts'
import { requirePermission, type Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

type Saved = { readonly sn: string; readonly version: number }

/** An edit, followed by the kind's own rules. */
export async function editDocument(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  body: DocumentInput,
): Promise<Saved> {
  requirePermission(session, `${definition.kind}.edit`)
  checkHeaderNames(definition, body)
  const { afterEdit: edited, afterSave: written } = documentRulesOf(definition.kind)
  const before = edited
    ? await loadDocument(tx, session.org.id, definition, String(body.sn ?? ''), { lock: true })
    : null
  const saved = await editDraft(tx, session, definition, body)
  if (before) await edited?.(tx, session, before)
  await written?.(tx, session, saved.sn)
  return saved
}
