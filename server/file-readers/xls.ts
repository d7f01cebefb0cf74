import { type ParsingOptions, read, set_cptable, type WorkBook } from '@e965/xlsx'
import { BusinessError } from '#kernel/rules/errors.ts'
import { type CellNote, type Cells, Grid, MOST_COLUMNS, MOST_SHEETS, type RowLimit } from '#server/file-readers/grid.ts'
import { errorNote, flagText, NO_RESULT, numberCell } from '#server/file-readers/number-cell.ts'
import { xlsFacts } from '#server/file-readers/xls-records.ts'
import { onlyInFileWorker } from '#server/file-workers/in-worker.ts'

type Cell = { readonly t: string; readonly v?: unknown; readonly w?: string; readonly z?: unknown }
type Place = { readonly r: number; readonly c: number }
type Content = {
  readonly '!data'?: readonly (readonly (Cell | undefined)[] | undefined)[]
  readonly '!rows'?: readonly ({ readonly hidden?: boolean } | undefined)[]
  readonly '!merges'?: readonly { readonly s: Place; readonly e: Place }[]
}

/** The code pages of texts before Excel 97, as TextDecoder knows them. */
const pages: Readonly<Record<number, string>> = {
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  1200: 'utf-16le',
  10_000: 'macintosh',
  28_591: 'windows-1252',
  65_001: 'utf-8',
  ...Object.fromEntries(Array.from({ length: 9 }, (_, at) => [1250 + at, `windows-${1250 + at}`])),
}
const GBK = 936
// The reader brings its tables of code pages in a file that takes a second to load.
set_cptable({
  utils: {
    decode: (page: number, bytes: ArrayLike<number>) =>
      new TextDecoder(pages[page] ?? 'windows-1252').decode(Uint8Array.from(bytes)),
  },
})

/**
 * The sheets of an .xls or .xlsb that are not hidden, in their order; each is read when it is asked for. Null: the file
 * is of another kind. Cells that exist count, not the range that the file states.
 */
export function binarySheets(file: Uint8Array, limit: RowLimit): (() => Cells)[] | null {
  onlyInFileWorker('a workbook')
  // Without its sheets a workbook still says which of them are hidden; with `bookSheets` it would not.
  const facts = xlsFacts(file)
  // Chinese programs that name no code page write GBK.
  const options: ParsingOptions = facts.isBefore97 ? { codepage: GBK } : {}
  const book = opened(file, { ...options, sheets: [] })
  if (book === null) return null
  const isHidden = (at: number) => (book.Workbook?.Sheets?.[at]?.Hidden ?? 0) !== 0
  return book.SheetNames.slice(0, MOST_SHEETS).flatMap((name, at) =>
    isHidden(at) ? [] : [() => cellsOf(file, { ...options, sheets: at }, facts.open.get(at) ?? [], limit)],
  )
}

function cellsOf(
  file: Uint8Array,
  options: ParsingOptions & { readonly sheets: number },
  open: readonly (readonly [row: number, column: number])[],
  limit: RowLimit,
): Cells {
  const book = opened(file, { cellNF: true, cellStyles: true, dense: true, sheetRows: limit.most + 1, ...options })
  const sheet = book?.Sheets[book.SheetNames[options.sheets] ?? ''] as Content | undefined
  const isFrom1904 = book?.Workbook?.WBProps?.date1904 === true
  const grid = new Grid(limit)
  for (const [row, cells] of (sheet?.['!data'] ?? []).entries())
    for (const [column, cell] of (cells ?? []).slice(0, MOST_COLUMNS + 1).entries()) {
      if (!cell) continue
      const { text, note } = cellText(cell, isFrom1904)
      grid.put(row, column, text, note)
    }
  for (const [row, column] of open) grid.put(row, column, '公式', { wrong: NO_RESULT })
  for (const [row, stated] of (sheet?.['!rows'] ?? []).entries()) if (stated?.hidden === true) grid.hide(row)
  for (const { s: from, e: to } of sheet?.['!merges'] ?? []) grid.merge([from.r, from.c], [to.r, to.c])
  return grid.cells()
}

function opened(file: Uint8Array, options: ParsingOptions): WorkBook | null {
  try {
    return read(file, { type: 'buffer', cellFormula: false, cellHTML: false, ...options })
  } catch (error) {
    if (error instanceof Error && /password|encrypt/i.test(error.message))
      throw new BusinessError('invalid', '文件加了密码，请在 Excel 中取消密码后再导入')
    // Any other error of the reader means that the file is not a workbook.
    return null
  }
}

function cellText({ t, v, w, z }: Cell, isFrom1904: boolean): { readonly text: string; readonly note?: CellNote } {
  if (v === undefined || v === null) return { text: '' }
  if (t === 'e') return { text: w ?? '#N/A', note: errorNote(w ?? '#N/A') }
  if (typeof v === 'number') return numberCell(v, typeof z === 'string' ? z : 'General', isFrom1904)
  return { text: typeof v === 'boolean' ? flagText(v) : String(v).trim() }
}
