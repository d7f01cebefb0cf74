import { parseInteger } from '#kernel/values/integer.ts'
import { type CellNote, type Cells, Grid, MOST_COLUMNS, MOST_SHEETS, type RowLimit } from '#server/file-readers/grid.ts'
import {
  dayNote,
  errorNote,
  figureCell,
  flagText,
  NO_RESULT,
  percentText,
  shownNote,
} from '#server/file-readers/number-cell.ts'
import { type Attributes, type XmlListener, xmlReader } from '#server/file-readers/xml.ts'

/** A number of columns or rows that an attribute states, 1 where it states none. */
const stated = (text: string | undefined): number => {
  const count = parseInteger(text ?? '')
  return Number.isSafeInteger(count) && count > 0 ? count : 1
}
/** A moment as it is typed; a day without a time. */
const momentOf = (text: string): string =>
  text
    .replace('T', ' ')
    .replace(/\.\d+$/, '')
    .replace(/ 00:00:00$/, '')
const collapsed = (text: string): string => text.trim().split(/\s+/).join(' ')

/** The cells of the tables of a web page, as banks and old systems save them under the name of a workbook. */
export function pageCells(text: string, limit: RowLimit): Cells {
  const grid = new Grid(limit)
  /** Columns that cells of earlier rows reach down into: how many rows they still take. */
  const taken = new Map<number, number>()
  let [row, column, hidden] = [-1, 0, 0]
  let cell: { readonly said: string[]; readonly across: number; readonly down: number } | null = null
  const endCell = () => {
    if (cell === null) return
    grid.put(row, column, collapsed(cell.said.join('')))
    if (cell.across > 1 || cell.down > 1) grid.merge([row, column], [row + cell.down - 1, column + cell.across - 1])
    for (let at = 0; at < Math.min(cell.across, MOST_COLUMNS); at++) {
      if (cell.down > 1) taken.set(column, cell.down - 1)
      column += 1
    }
    cell = null
  }
  const listener: XmlListener = {
    open(name, { colspan, rowspan, style = '' }) {
      if (name === 'script' || name === 'style') hidden += 1
      if (name === 'tr') {
        endCell()
        row += 1
        column = 0
        if (/display:\s?none/i.test(style)) grid.hide(row)
      }
      if (name === 'br') cell?.said.push(' ')
      if (name !== 'td' && name !== 'th') return
      endCell()
      if (row < 0) row = 0
      for (let left = taken.get(column); left !== undefined; left = taken.get(column)) {
        if (left > 1) taken.set(column, left - 1)
        else taken.delete(column)
        column += 1
      }
      cell = { said: [], across: stated(colspan), down: stated(rowspan) }
    },
    text: said => void (hidden === 0 && cell?.said.push(said)),
    close(name) {
      if (name === 'script' || name === 'style') hidden -= 1
      if (name === 'td' || name === 'th' || name === 'tr' || name === 'table') endCell()
    },
  }
  readAll(text, listener, 'page')
  return grid.cells()
}

/** Reads a document from its beginning to its end, once for each listener. */
export type Reading = (listener: XmlListener) => void
export const readingOf =
  (text: string): Reading =>
  listener =>
    readAll(text, listener)

/** The sheets of these that are not hidden, all where each is; each is read when it is asked for. */
const shown = (sheets: readonly { isHidden: boolean }[], read: (at: number) => Cells): (() => Cells)[] => {
  const all = sheets.slice(0, MOST_SHEETS).map(({ isHidden }, at) => ({ isHidden, read: () => read(at) }))
  const open = all.filter(({ isHidden }) => !isHidden)
  return (open.length > 0 ? open : all).map(sheet => sheet.read)
}

/** Formats that Excel 2003 calls by a name. */
const named: Readonly<Record<string, string>> = {
  'General Number': 'General',
  Fixed: '0.00',
  Standard: '#,##0.00',
  Currency: '#,##0.00',
  'Euro Currency': '#,##0.00',
  Percent: '0.00%',
  Scientific: '0.00E+00',
  'Yes/No': 'General',
  'True/False': 'General',
  'On/Off': 'General',
  'General Date': 'yyyy-mm-dd hh:mm',
  'Long Date': 'yyyy-mm-dd',
  'Medium Date': 'yyyy-mm-dd',
  'Short Date': 'yyyy-mm-dd',
  'Long Time': 'hh:mm:ss',
  'Medium Time': 'hh:mm',
  'Short Time': 'hh:mm',
}

/** The sheets of a workbook that Excel 2003 saved as XML. */
export function xmlSheets(reading: Reading, limit: RowLimit): (() => Cells)[] {
  const sheets: { isHidden: boolean }[] = []
  const formats = new Map<string, string>()
  let [style, said]: [string, string[] | null] = ['', null]
  reading({
    open(name, { ID: id, Format: format }) {
      if (name === 'Worksheet') sheets.push({ isHidden: false })
      if (name === 'Style') style = id ?? ''
      if (name === 'NumberFormat' && format !== undefined) formats.set(style, named[format] ?? format)
      if (name === 'Visible') said = []
    },
    text: text => void said?.push(text),
    close(name) {
      const sheet = sheets.at(-1)
      if (name === 'Visible' && sheet) sheet.isHidden = said?.join('').trim() !== 'SheetVisible'
      said = null
    },
  })
  return shown(sheets, at => {
    const grid = new Grid(limit)
    reading(xmlSheetListener(grid, formats, at))
    return grid.cells()
  })
}

function xmlSheetListener(grid: Grid, formats: ReadonlyMap<string, string>, wanted: number): XmlListener {
  let [sheet, row, column, across] = [-1, -1, -1, 1]
  let [type, format, said, isFormula, isComment]: [string | null, string, string[], boolean, boolean] = [
    null,
    'General',
    [],
    false,
    false,
  ]
  /** Cells without a style have that of their row, else of their column. */
  let [rowStyle, styled]: [string | undefined, number] = [undefined, 0]
  const columnStyles = new Map<number, string>()
  const at = (index: string | undefined, next: number) => (index === undefined ? next : stated(index) - 1)
  const beyond = (count: string | undefined) => (count === undefined ? 0 : stated(count))
  return {
    open(name, attributes) {
      if (name === 'Worksheet') sheet += 1
      if (sheet !== wanted) return
      if (name === 'Comment') isComment = true
      if (name === 'Column') {
        const first = at(attributes.Index, styled)
        styled = first + beyond(attributes.Span) + 1
        const { StyleID: own } = attributes
        for (let column = first; own !== undefined && column < Math.min(styled, MOST_COLUMNS + 1); column++)
          columnStyles.set(column, own)
      }
      if (name === 'Row') {
        rowStyle = attributes.StyleID
        row = at(attributes.Index, row + 1)
        if (attributes.Hidden === '1') grid.hide(row)
        column = -1
        across = 1
      }
      if (name === 'Cell') {
        const { MergeAcross: right, MergeDown: down } = attributes
        column = at(attributes.Index, column + across)
        const style = attributes.StyleID ?? rowStyle ?? columnStyles.get(column) ?? ''
        across = beyond(right) + 1
        if (right !== undefined || down !== undefined)
          grid.merge([row, column], [row + beyond(down), column + beyond(right)])
        format = formats.get(style) ?? 'General'
        isFormula = attributes.Formula !== undefined
      }
      if (name === 'Data' && !isComment) {
        type = attributes.Type ?? 'String'
        said = []
        isFormula = false
      }
    },
    text: given => void (type !== null && said.push(given)),
    close(name) {
      if (sheet !== wanted) return
      if (name === 'Comment') isComment = false
      if (name === 'Cell' && isFormula) grid.put(row, column, '公式', { wrong: NO_RESULT })
      if (name !== 'Data' || type === null) return
      const { text, note } = xmlCell(type, said.join('').trim(), format)
      grid.put(row, column, text, note)
      type = null
    },
  }
}

function xmlCell(type: string, value: string, format: string): { readonly text: string; readonly note?: CellNote } {
  if (type === 'Error') return { text: value, note: errorNote(value) }
  if (type === 'Boolean') return { text: flagText(value === '1') }
  if (type === 'DateTime') return { text: momentOf(value), note: dayNote(momentOf(value), format) }
  return type === 'String' ? { text: value } : figureCell(value, format, false)
}

/** The sheets of an OpenDocument workbook. */
export function openDocumentSheets(reading: Reading, limit: RowLimit): (() => Cells)[] {
  const sheets: { isHidden: boolean }[] = []
  const hidden = new Set<string>()
  let [style, depth] = ['', 0]
  reading({
    open(name, attributes) {
      if (name === 'style') style = attributes.name ?? ''
      if (name === 'table-properties' && attributes.display === 'false') hidden.add(style)
      if (name !== 'table') return
      depth += 1
      if (depth === 1) sheets.push({ isHidden: hidden.has(attributes['style-name'] ?? '') })
    },
    close: name => void (name === 'table' && (depth -= 1)),
  })
  return shown(sheets, at => {
    const grid = new Grid(limit)
    reading(openDocumentListener(grid, at))
    return grid.cells()
  })
}

/** Blanks that one mark stands for. */
const MOST_BLANKS = 100
const BESIDE: ReadonlySet<string> = new Set(['annotation', 'frame', 'custom-shape', 'caption', 'rect', 'ruby-text'])

/** A row that is repeated very often is one at the end of a sheet, without a text. */
const MOST_REPEATED = 60_000

/** Listens to the XML of one table of a workbook. Repeated rows and cells are written as often as the limits permit. */
function openDocumentListener(grid: Grid, wanted: number): XmlListener {
  let [table, depth, row, column, rowTimes, cellTimes] = [-1, 0, 0, 0, 1, 1]
  let [cell, said]: [Attributes, string[] | null] = [{}, null]
  /** Elements within a cell that are beside its text: a comment, a drawing, how a word is spoken. */
  let beside = 0
  let written: [column: number, text: string, note: CellNote | undefined][] = []
  const isCell = (name: string) => name === 'table-cell' || name === 'covered-table-cell'
  const isElsewhere = () => table !== wanted || depth !== 1
  return {
    open(name, attributes) {
      if (name === 'table') {
        depth += 1
        if (depth === 1) table += 1
      }
      if (isElsewhere()) return
      if (said !== null && (beside > 0 || BESIDE.has(name))) beside += 1
      if (beside > 0) return
      if (name === 'table-row') {
        rowTimes = stated(attributes['number-rows-repeated'])
        if (attributes.visibility === 'collapse' || attributes.visibility === 'filter')
          for (let times = 0; times < Math.min(rowTimes, MOST_REPEATED); times++) grid.hide(row + times)
        column = 0
        written = []
      }
      if (isCell(name)) {
        cell = attributes
        cellTimes = stated(attributes['number-columns-repeated'])
        const [right, down] = [stated(attributes['number-columns-spanned']), stated(attributes['number-rows-spanned'])]
        if (right > 1 || down > 1) grid.merge([row, column], [row + down - 1, column + right - 1])
        said = []
      }
      if ((name === 'p' && said !== null && said.length > 0) || name === 'line-break') said?.push('\n')
      if (name === 's' || name === 'tab') said?.push(' '.repeat(Math.min(stated(attributes.c), MOST_BLANKS)))
    },
    text: text => void (beside === 0 && said?.push(text)),
    close(name) {
      if (name === 'table') depth -= 1
      if (isElsewhere()) return
      if (beside > 0) {
        beside -= 1
        return
      }
      if (isCell(name)) {
        const { text, note } = openDocumentCell(cell, (said?.join('') ?? '').trim())
        for (let times = 0; text !== '' && times < Math.min(cellTimes, MOST_COLUMNS); times++)
          written.push([column + times, text, note])
        column += cellTimes
        said = null
      }
      if (name !== 'table-row') return
      if (written.length > 0)
        for (let times = 0; times < rowTimes; times++)
          for (const [at, text, note] of written) grid.put(row + times, at, text, note)
      row += rowTimes
    },
  }
}

/** The parts of a day that are printed, where these are not all of them. */
function onlyPrinted(moment: string, printed: string): CellNote['only'] {
  const [year, month, day] = moment.slice(0, 10).split('-').map(parseInteger)
  const numbers = (printed.match(/\d+/g) ?? []).map(parseInteger)
  const taken = (fits: (number: number) => boolean): boolean => {
    const at = numbers.findIndex(fits)
    if (at >= 0) numbers.splice(at, 1)
    return at >= 0
  }
  if (!taken(number => number === year || number === year! % 100))
    return numbers.includes(day!) ? 'yearless' : undefined
  const isMonth = taken(number => number === month) || /[^\d\W]|\p{L}/u.test(printed.replace(/年/g, ''))
  return numbers.includes(day!) ? undefined : isMonth ? 'month' : 'year'
}

/** A cell by what it holds; a figure as it is printed, where that is the same figure. */
function openDocumentCell(cell: Attributes, printed: string): { readonly text: string; readonly note?: CellNote } {
  const { 'value-type': type, 'date-value': day, 'boolean-value': flag, value = '', formula } = cell
  if (type === 'date') {
    const text = momentOf(day ?? '')
    return { text, note: dayNote(text, '', onlyPrinted(text, printed)) }
  }
  if (type === 'boolean') return { text: flagText(flag === 'true') }
  if (type === 'percentage') return { text: percentText(value) }
  if (type === 'float' || type === 'currency') {
    const figure = figureCell(value, 'General', false)
    if (figure.note !== undefined || printed === '' || /\dE[+-]/.test(printed)) return figure
    const note = shownNote(value, printed, printed)
    return note === undefined ? figure : { ...figure, note }
  }
  if (printed.startsWith('#') || printed.startsWith('Err:')) return { text: printed, note: errorNote(printed) }
  if (printed === '' && formula !== undefined && type === undefined) return { text: '公式', note: { wrong: NO_RESULT } }
  return { text: printed || (cell['string-value'] ?? '') }
}

function readAll(text: string, listener: XmlListener, as: 'xml' | 'page' = 'xml'): void {
  const reader = xmlReader(listener, as)
  reader.write(text)
  reader.end()
}
