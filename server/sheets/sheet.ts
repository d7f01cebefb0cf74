import type { CellNote } from '#server/file-readers/grid.ts'

/** The text with which a template's example row starts; that row is never imported. */
export const EXAMPLE = '示例'
/** The column added to a marked file; it is ignored when the file is sent back. */
export const REASONS = '错误原因'

/** A row of a sheet by its headings, and its row number in Excel. */
export type SheetRow = {
  readonly number: number
  readonly cells: ReadonlyMap<string, string>
  /** Notes on cells beside their text. */
  readonly notes?: ReadonlyMap<string, CellNote>
}

export type Sheet = { readonly headings: readonly string[]; readonly rows: readonly SheetRow[] }
