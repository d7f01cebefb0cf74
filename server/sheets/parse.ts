import { read, SSF, utils, type WorkSheet } from '@e965/xlsx'
import { BusinessError } from '#kernel/rules/errors.ts'
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

/**
 * Reads the first sheet of an .xls or .xlsx: headings in the first row, then rows; empty rows and examples are
 * skipped.
 */
export function parseSheet(file: Uint8Array): Sheet {
  const sheet = firstSheet(file)
  const range = utils.decode_range(sheet['!ref'] ?? 'A1')
  if (range.e.r - range.s.r > MOST_ROWS) throw new BusinessError('invalid', `一次最多导入${MOST_ROWS}行，请分批导入`)
  const lastColumn = Math.min(range.e.c, range.s.c + MOST_COLUMNS)
  const textAt = (row: number, column: number) => cellText(sheet, row, column)
  const headings: string[] = []
  for (let column = range.s.c; column <= lastColumn; column++)
    headings.push(textAt(range.s.r, column).replace(/\s*[*＊]$/, ''))
  const rows: SheetRow[] = []
  for (let row = range.s.r + 1; row <= range.e.r; row++) {
    const cells = new Map(headings.map((heading, index) => [heading, textAt(row, range.s.c + index)]))
    const written = [...cells.values()].filter(text => text !== '')
    if (written.length > 0 && !written[0]!.startsWith(EXAMPLE)) rows.push({ number: row + 1, cells })
  }
  return { headings: headings.filter(heading => heading !== '' && heading !== REASONS), rows }
}

function firstSheet(file: Uint8Array): WorkSheet {
  try {
    const book = read(file, {
      type: 'buffer',
      cellFormula: false,
      cellHTML: false,
      cellNF: true,
      sheetRows: MOST_ROWS + 2,
      sheets: 0,
    })
    const sheet = book.Sheets[book.SheetNames[0] ?? '']
    if (sheet) return sheet
  } catch {
    // Any error of the reader means that the file is not a workbook.
  }
  throw new BusinessError('invalid', '文件无法识别，请使用 .xls 或 .xlsx 格式')
}

function cellText(sheet: WorkSheet, row: number, column: number): string {
  const cell = sheet[utils.encode_cell({ r: row, c: column })]
  if (!cell || cell.v === undefined || cell.v === null || cell.t === 'e') return ''
  if (cell.t === 'n' && typeof cell.z === 'string' && SSF.is_date(cell.z)) return SSF.format('yyyy-mm-dd', cell.v)
  if (cell.t === 'b') return cell.v ? '是' : '否'
  // Excel shows 15 digits; digits beyond them were not entered by a user.
  return cell.t === 'n' ? String(inexact(inexact(cell.v).toPrecision(15))) : String(cell.v).trim()
}
