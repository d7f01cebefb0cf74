/** Cells of workbooks. Modules import the engine through files like this one and no other. */

/** Normalises cell text to API values. */
export { cellValue } from '#server/sheets/cell-values.ts'
