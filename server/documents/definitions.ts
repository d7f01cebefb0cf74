import type { AnyDocument } from '#kernel/document.ts'
import type { StoredDoc } from '#server/engine/documents/stored.ts'

/** Whether the document's goods may be past their day. */
export const mayBeExpired = ({ takesExpired: takes }: AnyDocument, doc: StoredDoc): boolean =>
  typeof takes === 'function' ? takes(doc as never) : takes === true
