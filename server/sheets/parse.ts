import { read, SSF, utils, type WorkSheet } from '@e965/xlsx'
import { BusinessError } from '#kernel/rules/errors.ts'
import { csvRows } from '#server/sheets/csv.ts'
import { inexact } from '#kernel/values/inexact.ts'

/** Maximum rows of one import. */
const MOST_ROWS = 5000
const MOST_COLUMNS = 200

/** How a template's example row starts; it is never imported. */
export const EXAMPLE = '示例'
/** The column added to a marked file; it is ignored when the file is sent back. */
export const REASONS = '错误原因'

/** A row of a sheet by its headings, and its row number in Excel. */
export type SheetRow = { readonly number: number; readonly cells: ReadonlyMap<string, string> }

export type Sheet = { readonly headings: readonly string[]; readonly rows: readonly SheetRow[] }

const unreadable = () => new BusinessError('invalid', '文件无法识别，请使用 .xls、.xlsx 或 .csv 格式')

/** The cells of a file as text, row by row, and the number of the first row in Excel. */
type Grid = { readonly rows: readonly (readonly string[])[]; readonly first: number }

/**
 * Reads the first sheet of an .xls or .xlsx, or a .csv: headings in the first row, then rows; empty rows and examples
 * are skipped.
 */
export function parseSheet(file: Uint8Array): Sheet {
  const csv = csvRows(file, MOST_ROWS + 2)
  const grid: Grid = csv === null ? gridOf(file) : { rows: csv, first: 1 }
  if (grid.rows.length === 0) throw unreadable()
  if (grid.rows.length - 1 > MOST_ROWS) throw new BusinessError('invalid', `一次最多导入${MOST_ROWS}行，请分批导入`)
  const [head = [], ...body] = grid.rows
  const headings = head.slice(0, MOST_COLUMNS + 1).map(title => title.replace(/\s*[*＊]$/, ''))
  const rows = body.flatMap((row, at): SheetRow[] => {
    const cells = new Map(headings.map((heading, index) => [heading, row[index] ?? '']))
    const written = [...cells.values()].filter(text => text !== '')
    return written.length > 0 && !written[0]!.startsWith(EXAMPLE) ? [{ number: grid.first + at + 1, cells }] : []
  })
  return { headings: headings.filter(heading => heading !== '' && heading !== REASONS), rows }
}

/** What a recorder writes in weeks: more rows than people import. */
const MOST_RECORDED = 50_000

/** The cells of the first sheet of an .xls or .xlsx, or of a .csv, as they stand: for files that no template gave. */
export function parseCells(file: Uint8Array): readonly (readonly string[])[] {
  const rows = csvRows(file, MOST_RECORDED + 1) ?? gridOf(file, MOST_RECORDED + 1).rows
  if (rows.length === 0) throw unreadable()
  if (rows.length > MOST_RECORDED) throw new BusinessError('invalid', `文件超过${MOST_RECORDED}行，请分段导出`)
  return rows
}

/** The cells of the first sheet of a workbook. */
function gridOf(file: Uint8Array, most = MOST_ROWS + 2): Grid {
  const { sheet, isFrom1904 } = firstSheet(file, most)
  const range = utils.decode_range(sheet['!ref'] ?? 'A1')
  const lastColumn = Math.min(range.e.c, range.s.c + MOST_COLUMNS)
  const rows = Array.from({ length: range.e.r - range.s.r + 1 }, (_row, row) =>
    Array.from({ length: lastColumn - range.s.c + 1 }, (_cell, column) =>
      cellText(sheet, range.s.r + row, range.s.c + column, isFrom1904),
    ),
  )
  return { rows, first: range.s.r + 1 }
}

function firstSheet(file: Uint8Array, most: number): { readonly sheet: WorkSheet; readonly isFrom1904: boolean } {
  try {
    const book = read(file, {
      type: 'buffer',
      cellFormula: false,
      cellHTML: false,
      cellNF: true,
      sheetRows: most,
      sheets: 0,
    })
    const sheet = book.Sheets[book.SheetNames[0] ?? '']
    if (sheet) return { sheet, isFrom1904: book.Workbook?.WBProps?.date1904 === true }
  } catch {
    // Any error of the reader means that the file is not a workbook.
  }
  throw unreadable()
}

/** A moment as it is typed; a day without a time, and a time without a day. */
function momentText(days: number, isFrom1904: boolean): string {
  const text = SSF.format('yyyy-mm-dd hh:mm:ss', days, { date1904: isFrom1904 })
  const [day = '', time = ''] = text.split(' ')
  return days < 1 ? time : time === '00:00:00' ? day : text
}

function cellText(sheet: WorkSheet, row: number, column: number, isFrom1904: boolean): string {
  const cell = sheet[utils.encode_cell({ r: row, c: column })]
  if (!cell || cell.v === undefined || cell.v === null || cell.t === 'e') return ''
  if (cell.t === 'n' && typeof cell.z === 'string' && SSF.is_date(cell.z)) return momentText(cell.v, isFrom1904)
  if (cell.t === 'b') return cell.v ? '是' : '否'
  // Excel shows 15 digits; digits beyond them were not entered by a user.
  return cell.t === 'n' ? String(inexact(inexact(cell.v).toPrecision(15))) : String(cell.v).trim()
}
