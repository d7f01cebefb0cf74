/** Files that people upload. Modules import the engine through files like this one and no other. */

/** Receiving, keeping and sharing files. */
export { filesOf, keepFile, receiveFile, shareFiles, type Received } from '#server/files/save.ts'

/** What a sheet says to a machine: text, QR codes, XML. */
export { isReadableSheet, sheetContent, type SheetContent } from '#server/files/sheet-content.ts'

/** What a file says, for a module that reads it. */
export { fileBytes } from '#server/files/contents.ts'

/** Files that arrive with a document of another organisation. */
export { keepSent, type SentFile } from '#server/files/sent.ts'

/** Where the bytes of files lie. */
export type { FileStore } from '#server/files/store.ts'

/** Files of others that one may look at. */
export type { GrantedFiles } from '#server/files/access.ts'
