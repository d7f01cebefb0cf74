import type { AnyDocument } from '#kernel/definition/document.ts'
import { exceptionsFor } from '#server/documents/posting/unfit-goods.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'

/** True if the document's goods may be past their day. */
export const mayBeExpired = (definition: AnyDocument, doc: StoredDocument): boolean => {
  const { allowsExpired: takes } = definition.compliance
  if (typeof takes === 'function' ? takes(doc) : takes === true) return true
  return exceptionsFor(definition, doc).some(({ what }) => what === undefined || what.includes('expired'))
}
