/** Cells of workbooks. Modules import the engine through files like this one and no other. */

/** Normalises cell text to API values. */
export { cellValue } from '#server/sheets/cell-values.ts'

/** The cells of a file that no template gave. */
export { readCells } from '#server/sheets/read.ts'

/** Workbooks of several sheets. */
export { type WholeSheet, wholeWorkbook } from '#server/sheets/write.ts'
