import { read, SSF } from '@e965/xlsx'
import { type Cells, Grid, MOST_COLUMNS, type RowLimit } from '#server/file-readers/grid.ts'
import { figureText, momentText } from '#server/file-readers/xlsx.ts'
import { onlyInFileWorker } from '#server/file-workers/in-worker.ts'

type Cell = { readonly t: string; readonly v?: unknown; readonly z?: unknown }

/**
 * The cells of the first sheet of an .xls or .xlsb; null: it is none. Cells that are there count, not the range that
 * the file states.
 */
export function binaryCells(file: Uint8Array, limit: RowLimit): Cells | null {
  onlyInFileWorker('a workbook')
  const sheet = firstSheet(file, limit.most + 1)
  if (sheet === null) return null
  const grid = new Grid(limit)
  for (const [row, cells] of sheet.rows.entries())
    for (const [column, cell] of (cells ?? []).slice(0, MOST_COLUMNS + 1).entries())
      if (cell) grid.put(row, column, cellText(cell, sheet.isFrom1904))
  return grid.cells()
}

type Rows = readonly (readonly (Cell | undefined)[] | undefined)[]

function firstSheet(file: Uint8Array, most: number): { readonly rows: Rows; readonly isFrom1904: boolean } | null {
  try {
    const book = read(file, {
      type: 'buffer',
      cellFormula: false,
      cellHTML: false,
      cellNF: true,
      dense: true,
      sheetRows: most,
      sheets: 0,
    })
    const sheet = book.Sheets[book.SheetNames[0] ?? ''] as { readonly '!data'?: Rows } | undefined
    return sheet ? { rows: sheet['!data'] ?? [], isFrom1904: book.Workbook?.WBProps?.date1904 === true } : null
  } catch {
    // Any error of the reader means that the file is not a workbook.
    return null
  }
}

function cellText({ t, v, z }: Cell, isFrom1904: boolean): string {
  if (v === undefined || v === null || t === 'e') return ''
  if (typeof v === 'number') return typeof z === 'string' && SSF.is_date(z) ? momentText(v, isFrom1904) : figureText(v)
  return typeof v === 'boolean' ? (v ? '是' : '否') : String(v).trim()
}
