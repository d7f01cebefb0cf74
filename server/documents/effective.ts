import type { AnyDocument } from '#kernel/definition/document.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import { hooks } from '#server/registry/hooks.ts'

/** Writes of modules beside a document of any kind, when it comes into force and when that is undone. */
export type EffectHooks = {
  /** Reviewed here, arrived as a copy, or written as a reversal: in the same transaction. */
  readonly onEffective: (tx: Tx, session: Session, definition: AnyDocument, doc: StoredDocument) => Promise<void>
  /** Its review was undone, it was cancelled, or its sender withdrew it. */
  readonly onVoided: (tx: Tx, session: Session, definition: AnyDocument, document: string) => Promise<void>
}

/** Tells every module that a document came into force. */
export async function cameIntoForce(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  doc: StoredDocument,
): Promise<void> {
  for (const { onEffective } of hooks().effects) await onEffective(tx, session, definition, doc)
}

/** Tells every module that a document is in force no more. */
export async function wasVoided(tx: Tx, session: Session, definition: AnyDocument, document: string): Promise<void> {
  for (const { onVoided } of hooks().effects) await onVoided(tx, session, definition, document)
}
