/**
 * Files that people upload, and cells of workbooks. Modules import the engine through files like this one and no
 * other.
 */

/** Receiving, keeping and sharing files. */
export { filesOf, keepFile, receiveFile, shareFiles, type Received } from '#server/files/save.ts'

/** Files that arrive with a document of another organisation. */
export { keepSent, type SentFile } from '#server/files/sent.ts'

/** The store for the bytes of files. */
export type { FileStore } from '#server/files/store.ts'

/** Files of others that one may look at. */
export type { GrantedFiles } from '#server/files/access.ts'

/** A reader of files by its module, which runs in a worker. */
export { fileReader } from '#server/file-workers/reader.ts'

/** The content of stored files, asked in a transaction that does not wait for it. */
export { readStoredFile, readStoredFiles } from '#server/files/read-stored.ts'

/** Tables of other programs, whose columns a person may have to name. */
export { type ForeignFiles, mappingOf, readForeignFiles } from '#server/sheets/foreign-tables.ts'

/** A file of any length, piece by piece. */
export { readInPieces } from '#server/file-workers/pool.ts'

/** Reads the text of a cell as an API value. */
export { readCell } from '#server/sheets/cell-values.ts'

/** Workbooks of several sheets. */
export { type WholeSheet, wholeWorkbook } from '#server/sheets/write.ts'
