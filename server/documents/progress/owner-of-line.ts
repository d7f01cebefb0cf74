import type { AnyDocument } from '#kernel/definition/document.ts'
import type { StoredDocument, StoredLine } from '#server/documents/repository/document.ts'

/** The owner of a line's goods, where stated; incoming consigned goods are the counterparty's. */
export const ownerOfLine = (definition: AnyDocument, doc: StoredDocument, line: StoredLine): string | null =>
  line.owner_org_sn ??
  (doc.regime === 'consigned' && definition.posting.stockDirection === 'in' ? doc.counterparty_sn : null)
