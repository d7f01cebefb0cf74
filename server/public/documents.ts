/**
 * Documents as they are stored: reading, listing, writing. Modules import the engine through files like this one and
 * no other.
 */

/** True if a document's goods may be expired. */
export { mayBeExpired } from '#server/documents/lines/definitions.ts'

/** Types and columns of stored documents and lines. */
export {
  byName,
  headerColumns,
  lineColumns,
  ofKind,
  textOf,
  type StoredDocument,
  type StoredLine,
  type TypedDocument,
  type TypedLine,
} from '#server/documents/repository/document.ts'

/** Reads documents and lines by number or id. */
export { loadDocument, loadDocuments, loadLines, requireInScope } from '#server/documents/repository/load.ts'

/** Paged document list, totals, batches for export; its rows as part of another statement. */
export { listDocuments, rowsSql } from '#server/documents/list/list.ts'

/** Full document with lines, history, relations, allowed actions. */
export { documentDetail } from '#server/documents/list/detail.ts'

/** Inserts/updates documents and lines set-based. */
export { replaceLines, totalsOfLines, updateDocument } from '#server/documents/repository/save.ts'

/** Writes document history and operation log row. */
export { writeHistoryOfMany, writeHistory } from '#server/documents/repository/history.ts'

/** Gapless daily number sequence per kind. */
export { nextNumber } from '#server/documents/repository/numbering.ts'

/** Checks referenced records exist; active partner relation. */
export { checkReferences } from '#server/documents/repository/references.ts'

/** The SQL of what is left of a line `l` for a purpose. */
export { leftOfLine } from '#server/documents/progress/stopped-lines.ts'

/** The SQL of a figure that a kind counts on its documents, over the document `d`. */
export { figureSql } from '#server/documents/list/figures-sql.ts'

/** Extra list columns computed by SQL subqueries. */
export type { ListColumn } from '#server/documents/list/computed-columns.ts'

/** The contents of scanned labels of pieces. */
export { type LabelReading, readingsOf } from '#server/documents/lines/label-readings.ts'

/** Owner of a line's goods (consignment aware). */
export { ownerOfLine } from '#server/documents/progress/owner-of-line.ts'

/**
 * How a document is changed outside its action: state with history by `transition`, fields by `patchDocument` and
 * its siblings.
 */
export { stateAhead, transition } from '#server/documents/repository/transition.ts'
export {
  patchDocument,
  patchDocuments,
  patchLines,
  patchLinesOfMany,
  type Recorded,
  sumLines,
} from '#server/documents/repository/patch.ts'
export { reassignAuthor, replaceOrganisation } from '#server/documents/repository/reassign.ts'
