import { SSF } from '@e965/xlsx'
import { BusinessError } from '#kernel/rules/errors.ts'
import { inexact } from '#kernel/values/inexact.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { type Cells, Grid, type RowLimit } from '#server/file-readers/grid.ts'
import { type XmlListener, xmlReader } from '#server/file-readers/xml.ts'
import { Zip } from '#server/file-readers/zip.ts'

const MOST_STRINGS = 1_000_000
/** Formats 14 to 22 and 45 to 47 are days and times; others say so in their codes. */
const standardFormats = SSF.get_table() as Readonly<Record<number, string>>

type Styles = { readonly isDate: (style: string | undefined) => boolean; readonly isFrom1904: boolean }

/** A moment as it is typed; a day without a time, and a time without a day. */
export function momentText(days: number, isFrom1904: boolean): string {
  const text = SSF.format('yyyy-mm-dd hh:mm:ss', days, { date1904: isFrom1904 })
  const [day = '', time = ''] = text.split(' ')
  return days < 1 ? time : time === '00:00:00' ? day : text
}

/** A figure as Excel shows it: digits beyond the 15th were not entered by a user. */
export const figureText = (value: number): string => String(inexact(value.toPrecision(15)))

/** The cells of the first sheet of an .xlsx. */
export function xlsxCells(file: Buffer, mostUnpacked: number, limit: RowLimit): Cells {
  const zip = new Zip(file, mostUnpacked)
  const { sheet, isFrom1904 } = firstSheetOf(zip)
  const styles = { isDate: dateStylesOf(zip), isFrom1904 }
  const grid = new Grid(limit)
  if (!readPart(zip, sheet, cellListener(grid, styles, stringsOf(zip)))) throw notAWorkbook()
  return grid.cells()
}

const notAWorkbook = () => new BusinessError('invalid', '文件中没有工作表，请用 Excel 重新保存后再导入')

/** Reads a part of the workbook, named from its root and in whatever case; false: there is none. */
function readPart(zip: Zip, name: string, listener: XmlListener): boolean {
  const known = zip.names.find(each => each.toLowerCase() === name.toLowerCase())
  if (known === undefined) return false
  const reader = xmlReader(listener)
  zip.text(known, text => reader.write(text))
  reader.end()
  return true
}

function firstSheetOf(zip: Zip): { readonly sheet: string; readonly isFrom1904: boolean } {
  let [first, isFrom1904]: [string | null, boolean] = [null, false]
  readPart(zip, 'xl/workbook.xml', {
    open(name, { id, date1904 }) {
      if (name === 'sheet') first ??= id ?? ''
      if (name === 'workbookPr') isFrom1904 = date1904 === '1' || date1904 === 'true'
    },
  })
  let target: string | null = null
  readPart(zip, 'xl/_rels/workbook.xml.rels', {
    open(name, attributes) {
      if (name === 'Relationship' && attributes.Id === first) target ??= attributes.Target ?? null
    },
  })
  const named = target as string | null
  const sheet =
    named === null ? 'xl/worksheets/sheet1.xml' : named.startsWith('/') ? named.slice(1) : `xl/${withoutDot(named)}`
  return { sheet, isFrom1904 }
}
const withoutDot = (target: string): string => (target.startsWith('./') ? target.slice(2) : target)

/** Which styles of cells show a number as a day or a time. */
function dateStylesOf(zip: Zip): Styles['isDate'] {
  const formats = new Map<string, string>()
  const styles: boolean[] = []
  let isInCells = false
  readPart(zip, 'xl/styles.xml', {
    open(name, attributes) {
      if (name === 'numFmt') formats.set(attributes.numFmtId ?? '', attributes.formatCode ?? '')
      if (name === 'cellXfs') isInCells = true
      if (name !== 'xf' || !isInCells) return
      const id = attributes.numFmtId ?? '0'
      styles.push(SSF.is_date(formats.get(id) ?? standardFormats[parseInteger(id)] ?? 'General'))
    },
    close: name => void (name === 'cellXfs' && (isInCells = false)),
  })
  return style => styles[parseInteger(style ?? '0')] === true
}

/** Texts that cells share; how they are spoken (`rPh`) is no part of them. */
function stringsOf(zip: Zip): readonly string[] {
  const strings: string[] = []
  let [said, isText, spoken]: [string[], boolean, number] = [[], false, 0]
  readPart(zip, 'xl/sharedStrings.xml', {
    open(name) {
      if (name === 'si') said = []
      if (name === 'rPh') spoken += 1
      if (name === 't') isText = spoken === 0
    },
    text: text => void (isText && said.push(text)),
    close(name) {
      if (name === 't') isText = false
      if (name === 'rPh') spoken -= 1
      if (name !== 'si') return
      strings.push(said.join(''))
      if (strings.length > MOST_STRINGS) throw new BusinessError('invalid', '文件内容过多，无法读取，请分批导入')
    },
  })
  return strings
}

/** Column and row of an address, from 0; where the cell has none it follows the one before. */
function placeOf(address: string): readonly [row: number, column: number] | null {
  let [at, column] = [0, 0]
  for (; at < address.length && at < 4; at++) {
    const letter = address.charCodeAt(at) - 64
    if (letter < 1 || letter > 26) break
    column = column * 26 + letter
  }
  const row = parseInteger(address.slice(at))
  return column > 0 && Number.isSafeInteger(row) && row > 0 ? [row - 1, column - 1] : null
}

function cellListener(grid: Grid, styles: Styles, strings: readonly string[]): XmlListener {
  let [row, column, spoken] = [-1, -1, 0]
  let [type, style]: [string, string | undefined] = ['n', undefined]
  let said: string[] | null = null
  let [value, written]: [string, string] = ['', '']
  return {
    open(name, attributes) {
      if (name === 'row') {
        const stated = parseInteger(attributes.r ?? '')
        row = Number.isSafeInteger(stated) && stated > 0 ? stated - 1 : row + 1
        column = -1
      }
      if (name === 'c') {
        ;[row, column] = placeOf(attributes.r ?? '') ?? [Math.max(row, 0), column + 1]
        ;[type, style, value, written] = [attributes.t ?? 'n', attributes.s, '', '']
      }
      if (name === 'rPh') spoken += 1
      if (name === 'v' || (name === 't' && spoken === 0)) said = []
    },
    text: text => void said?.push(text),
    close(name) {
      if (name === 'rPh') spoken -= 1
      if (said !== null && name === 'v') value = said.join('')
      if (said !== null && name === 't') written += said.join('')
      if (name === 'v' || name === 't') said = null
      if (name === 'c') grid.put(row, column, cellText({ type, style, value, written }, styles, strings))
    },
  }
}

type Cell = {
  readonly type: string
  readonly style: string | undefined
  readonly value: string
  readonly written: string
}

function cellText(
  { type, style, value, written }: Cell,
  { isDate, isFrom1904 }: Styles,
  strings: readonly string[],
): string {
  if (type === 'e') return ''
  if (type === 's') return (strings[parseInteger(value)] ?? '').trim()
  if (type === 'inlineStr') return (written || value).trim()
  if (type === 'b') return value === '' ? '' : value.trim() === '1' ? '是' : '否'
  if (type === 'd')
    return value
      .trim()
      .replace('T', ' ')
      .replace(/ 00:00:00$/, '')
  if (type === 'str') return value.trim()
  const figure = inexact(value.trim())
  if (value.trim() === '' || !Number.isFinite(figure)) return value.trim()
  return isDate(style) ? momentText(figure, isFrom1904) : figureText(figure)
}
