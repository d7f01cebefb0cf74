import type { AnyDocument } from '#kernel/document.ts'
import type { StoredDoc, StoredLine } from '#server/engine/documents/stored.ts'

/** Whose goods a line holds, where it says so; consigned goods that come in are the counterparty's. */
export const ownerOf = (definition: AnyDocument, doc: StoredDoc, line: StoredLine): string | null =>
  line.owner_org_sn ?? (doc.regime === 'consigned' && definition.goods === 'in' ? doc.counterparty_sn : null)
