import {
  type ColumnMapping,
  findColumns,
  type ForeignTable,
  type FoundColumns,
  likelyHeadings,
  MOST_HEADINGS,
  placesOf,
  type ReadPreview,
  type Rows,
} from '#kernel/tables/foreign-table.ts'
import { parseTables } from '#server/file-readers/sheet-file.ts'

/**
 * The input of a reader of a foreign table: the mappings that people made for such files, the likeliest first, and the
 * reader's own options.
 */
export type ForeignOptions<Given> = { readonly mappings: readonly ColumnMapping[]; readonly given: Given }

/** A foreign table as it was read, and the place of the mapping that was used; or its beginning, to be mapped. */
export type ForeignAnswer<Result> =
  | { readonly result: Result; readonly mapping: number | null; readonly preview: ReadPreview }
  | { readonly asked: { readonly rows: Rows; readonly row: number; readonly places: readonly string[] } }

/** Rows that somebody sees who maps them, and letters of a cell. */
const MOST_SHOWN = 12
const LONGEST_SHOWN = 200

const shownRows = (rows: Rows, to: number): Rows =>
  rows.slice(0, to).map(cells => cells.slice(0, MOST_HEADINGS).map(cell => cell.slice(0, LONGEST_SHOWN)))

/**
 * The default export of a module that reads foreign tables: `read` gets the rows with the places of the wanted columns,
 * `preview` says for people what it read. `otherwise` reads files of the kind that are no tables; null: it cannot read
 * this one.
 */
export const foreignTableReader =
  <Name extends string, Given, Result>(
    table: ForeignTable<Name>,
    {
      read,
      preview,
      otherwise,
    }: {
      readonly read: (rows: Rows, columns: FoundColumns<Name>, given: Given) => Result
      readonly preview: (result: Result, given: Given) => ReadPreview
      readonly otherwise?: (rows: Rows) => Result | null
    },
  ) =>
  (bytes: Buffer, { mappings, given }: ForeignOptions<Given>): ForeignAnswer<Result> => {
    let rows: Rows = []
    for (const sheet of parseTables(bytes)) {
      const columns = findColumns(table, sheet, mappings)
      if (columns !== null) {
        const result = read(sheet, columns, given)
        return { result, mapping: columns.mapping, preview: preview(result, given) }
      }
      const other = otherwise?.(sheet) ?? null
      if (other !== null) return { result: other, mapping: null, preview: preview(other, given) }
      // Somebody is asked about the longest: a cover has few rows.
      if (sheet.length > rows.length) rows = sheet
    }
    const row = likelyHeadings(table, rows)
    const places = placesOf(rows.slice(0, table.deepest))
    return { asked: { rows: shownRows(rows, Math.max(0, row) + MOST_SHOWN), row, places } }
  }
