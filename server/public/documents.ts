/** Documents as they are stored: reading, listing, writing. Modules import the engine through files like this one and no other. */

/** What a definition says of expired goods. */
export { mayBeExpired } from '#server/documents/definitions.ts'

/** Types and columns of stored documents and lines. */
export { headerColumns, lineColumns, type StoredDoc, type StoredLine } from '#server/engine/documents/stored.ts'

/** Reads documents and lines by number or id. */
export { loadDocument, loadDocuments, loadLines, seen } from '#server/engine/documents/load.ts'

/** Paged document list, totals, batches for export. */
export { listDocuments } from '#server/engine/documents/list.ts'

/** Full document with lines, history, relations, allowed actions. */
export { documentInfo } from '#server/engine/documents/info.ts'

/** Inserts/updates documents and lines set-based. */
export { replaceLines, totalsOf, updateDocument } from '#server/engine/documents/write.ts'

/** Writes document history and operation log row. */
export { writeHistories, writeHistory } from '#server/engine/documents/history.ts'

/** Gapless daily number sequence per kind. */
export { nextSn } from '#server/engine/documents/numbering.ts'

/** Checks referenced records exist; active partner relation. */
export { checkReferences } from '#server/engine/documents/references.ts'

/** Extra list columns computed by SQL subqueries. */
export type { ListColumn } from '#server/engine/documents/sights.ts'

/** Approval policies; multi-level approval of a document. */
export { waitsForMe } from '#server/engine/documents/levels.ts'

/** Owner of a line's goods (consignment aware). */
export { ownerOf } from '#server/engine/documents/owner.ts'
