import { fileReader } from '#server/file-workers/reader.ts'
import { readFile, type Sender } from '#server/file-workers/pool.ts'
import type { Sheet } from '#server/sheets/sheet.ts'

const sheetFile = fileReader<typeof import('#server/file-readers/sheet-file.ts').parseSheet>(
  new URL('../file-readers/sheet.reader.ts', import.meta.url),
)

/**
 * Reads a table that a user sent, in whatever format it is: the sheet and the row that have the `wanted` headings, then
 * rows; empty rows and examples are skipped. It waits for its turn, so no transaction calls it.
 */
export const readSheet = (file: Buffer, sender: Sender, wanted: readonly string[] = []): Promise<Sheet> =>
  readFile(sheetFile, file, wanted, sender)

/** Reads a table cell by cell: for files whose headings may be anywhere. */
export const cellsFile = fileReader<typeof import('#server/file-readers/sheet-file.ts').parseCells>(
  new URL('../file-readers/cells.reader.ts', import.meta.url),
)
