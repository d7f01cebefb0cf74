/** The tools that readers of files are written with; they run in file workers only. */

/** The type of a file by its bytes. */
export { mustBe, titleOf } from '#server/file-readers/content.ts'

/** A table whose headings others chose. */
export { foreignTableReader } from '#server/file-readers/foreign-table.ts'

/** Text, QR codes and data of a sheet. */
export { sheetContent } from '#server/file-readers/sheet-content.ts'

/** XML, heard element by element. */
export { xmlReader, type XmlListener } from '#server/file-readers/xml.ts'

/** A zip file that is read in pieces. */
export { unzipInPieces } from '#server/file-readers/zip-stream.ts'
