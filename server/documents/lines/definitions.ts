import type { AnyDocument } from '#kernel/definition/document.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'

/** Whether the document's goods may be past their day. */
export const mayBeExpired = ({ compliance: { allowsExpired: takes } }: AnyDocument, doc: StoredDocument): boolean =>
  typeof takes === 'function' ? takes(doc as never) : takes === true
