import type { AnyDocument } from '#kernel/definition/document.ts'
import type { StoredDocument, StoredLine } from '#server/documents/repository/document.ts'

/** Whose goods a line holds, where it says so; consigned goods that come in are the counterparty's. */
export const ownerOfLine = (definition: AnyDocument, doc: StoredDocument, line: StoredLine): string | null =>
  line.owner_org_sn ??
  (doc.regime === 'consigned' && definition.posting.stockDirection === 'in' ? doc.counterparty_sn : null)
