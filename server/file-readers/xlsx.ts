import { SSF } from '@e965/xlsx'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { type CellNote, type Cells, Grid, MOST_SHEETS, type RowLimit } from '#server/file-readers/grid.ts'
import {
  chineseFormats,
  dayNote,
  errorNote,
  figureCell,
  flagText,
  NO_RESULT,
} from '#server/file-readers/number-cell.ts'
import { type XmlListener, xmlReader } from '#server/file-readers/xml.ts'
import { Zip } from '#server/file-readers/zip.ts'

const MOST_STRINGS = 1_000_000
const standardFormats: Readonly<Record<number, string>> = { ...SSF.get_table(), ...chineseFormats }

type Styles = { readonly formatOf: (style: string | undefined) => string; readonly isFrom1904: boolean }

/** The sheets of an .xlsx that are not hidden, in their order; each is read when it is asked for. */
export function xlsxSheets(file: Buffer, mostUnpacked: number, limit: RowLimit): (() => Cells)[] {
  const zip = new Zip(file, mostUnpacked)
  const { sheets, isFrom1904 } = sheetsOf(zip)
  const styles = { formatOf: formatsOf(zip), isFrom1904 }
  const strings = stringsOf(zip)
  return sheets.map(sheet => () => {
    const grid = new Grid(limit)
    if (!readPart(zip, sheet, cellListener(grid, styles, strings))) throw notAWorkbook()
    return grid.cells()
  })
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

function sheetsOf(zip: Zip): { readonly sheets: readonly string[]; readonly isFrom1904: boolean } {
  const named: { id: string; isHidden: boolean }[] = []
  let isFrom1904 = false
  readPart(zip, 'xl/workbook.xml', {
    open(name, { id, state, date1904 }) {
      if (name === 'sheet' && named.length < MOST_SHEETS)
        named.push({ id: id ?? '', isHidden: state === 'hidden' || state === 'veryHidden' })
      if (name === 'workbookPr') isFrom1904 = date1904 === '1' || date1904 === 'true'
    },
  })
  const targets = new Map<string, string>()
  readPart(zip, 'xl/_rels/workbook.xml.rels', {
    open(name, { Id: id, Target: target }) {
      if (name === 'Relationship' && id !== undefined && target !== undefined) targets.set(id, target)
    },
  })
  const partOf = (target: string) => (target.startsWith('/') ? target.slice(1) : `xl/${withoutDot(target)}`)
  const sheets = named.filter(({ isHidden }) => !isHidden).flatMap(({ id }) => targets.get(id) ?? [])
  return { sheets: sheets.length > 0 ? sheets.map(partOf) : ['xl/worksheets/sheet1.xml'], isFrom1904 }
}
const withoutDot = (target: string): string => (target.startsWith('./') ? target.slice(2) : target)

/** How the styles of cells show a number. */
function formatsOf(zip: Zip): Styles['formatOf'] {
  const formats = new Map<string, string>()
  const styles: string[] = []
  let isInCells = false
  readPart(zip, 'xl/styles.xml', {
    open(name, attributes) {
      if (name === 'numFmt') formats.set(attributes.numFmtId ?? '', attributes.formatCode ?? '')
      if (name === 'cellXfs') isInCells = true
      if (name !== 'xf' || !isInCells) return
      const id = attributes.numFmtId ?? '0'
      styles.push(formats.get(id) ?? standardFormats[parseInteger(id)] ?? 'General')
    },
    close: name => void (name === 'cellXfs' && (isInCells = false)),
  })
  return style => styles[parseInteger(style ?? '0')] ?? 'General'
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
  let [value, written]: [string | null, string] = [null, '']
  let isFormula = false
  return {
    open(name, attributes) {
      if (name === 'row') {
        const stated = parseInteger(attributes.r ?? '')
        row = Number.isSafeInteger(stated) && stated > 0 ? stated - 1 : row + 1
        column = -1
        if (attributes.hidden === '1' || attributes.hidden === 'true') grid.hide(row)
      }
      if (name === 'c') {
        ;[row, column] = placeOf(attributes.r ?? '') ?? [Math.max(row, 0), column + 1]
        ;[type, style, value, written, isFormula] = [attributes.t ?? 'n', attributes.s, null, '', false]
      }
      if (name === 'f') isFormula = true
      if (name === 'mergeCell') merge(grid, attributes.ref ?? '')
      if (name === 'rPh') spoken += 1
      if (name === 'v' || (name === 't' && spoken === 0)) said = []
    },
    text: text => void said?.push(text),
    close(name) {
      if (name === 'rPh') spoken -= 1
      if (said !== null && name === 'v') value = said.join('')
      if (said !== null && name === 't') written += said.join('')
      if (name === 'v' || name === 't') said = null
      if (name !== 'c') return
      // Programs that do not calculate write an empty result; an empty text is the result of a formula as well.
      const isEmpty = (value ?? '') === '' && written === ''
      if (isFormula && isEmpty && (value === null || type !== 'str'))
        return grid.put(row, column, '公式', { wrong: NO_RESULT })
      const { text, note } = cellText({ type, style, value: value ?? '', written }, styles, strings)
      grid.put(row, column, text, note)
    },
  }
}

/** Characters that XML does not take are written as their number: _x000D_ is the end of a line. */
const unescaped = (text: string): string =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

function merge(grid: Grid, range: string): void {
  const [from, to] = range.split(':').map(placeOf)
  if (from && to) grid.merge(from, to)
}

type Cell = {
  readonly type: string
  readonly style: string | undefined
  readonly value: string
  readonly written: string
}

function cellText(
  { type, style, value, written }: Cell,
  { formatOf, isFrom1904 }: Styles,
  strings: readonly string[],
): { readonly text: string; readonly note?: CellNote } {
  if (type === 'e') return { text: value.trim(), note: errorNote(value.trim()) }
  if (type === 's') return { text: unescaped(strings[parseInteger(value)] ?? '').trim() }
  if (type === 'inlineStr') return { text: unescaped(written || value).trim() }
  if (type === 'b') return { text: value === '' ? '' : flagText(value.trim() === '1') }
  if (type === 'd') {
    const text = value
      .trim()
      .replace('T', ' ')
      .replace(/ 00:00:00$/, '')
    return { text, note: dayNote(text, formatOf(style)) }
  }
  if (type === 'str') return { text: unescaped(value).trim() }
  return figureCell(value.trim(), formatOf(style), isFrom1904)
}
