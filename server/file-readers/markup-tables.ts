import { parseInteger } from '#kernel/values/integer.ts'
import { type CellNote, type Cells, Grid, MOST_COLUMNS, type RowLimit } from '#server/file-readers/grid.ts'
import { errorNote } from '#server/file-readers/number-cell.ts'
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
    for (let at = 0; at < Math.min(cell.across, MOST_COLUMNS); at++) {
      if (cell.down > 1) taken.set(column, cell.down - 1)
      column += 1
    }
    cell = null
  }
  const listener: XmlListener = {
    open(name, { colspan, rowspan }) {
      if (name === 'script' || name === 'style') hidden += 1
      if (name === 'tr') {
        endCell()
        row += 1
        column = 0
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

/** The cells of the first sheet of a workbook that Excel 2003 saved as XML. */
export function xmlSheetCells(text: string, limit: RowLimit): Cells {
  const grid = new Grid(limit)
  let [sheets, row, column, across] = [0, -1, -1, 1]
  let [type, said]: [string | null, string[]] = [null, []]
  const at = (index: string | undefined, next: number) => (index === undefined ? next : stated(index) - 1)
  const listener: XmlListener = {
    open(name, attributes) {
      if (name === 'Worksheet') sheets += 1
      if (sheets !== 1) return
      if (name === 'Row') {
        row = at(attributes.Index, row + 1)
        if (attributes.Hidden === '1') grid.hide(row)
        column = -1
        across = 1
      }
      if (name === 'Cell') {
        column = at(attributes.Index, column + across)
        across = attributes.MergeAcross === undefined ? 1 : stated(attributes.MergeAcross) + 1
      }
      if (name === 'Data') {
        type = attributes.Type ?? 'String'
        said = []
      }
    },
    text: given => void (type !== null && said.push(given)),
    close(name) {
      if (name !== 'Data' || type === null) return
      const value = said.join('').trim()
      const shown = type === 'DateTime' ? momentOf(value) : type === 'Boolean' ? (value === '1' ? '是' : '否') : value
      grid.put(row, column, shown, type === 'Error' ? errorNote(value) : undefined)
      type = null
    },
  }
  readAll(text, listener)
  return grid.cells()
}

/** What hears the first table of an OpenDocument sheet; what is repeated is written as often as the limits permit. */
export function openDocumentListener(grid: Grid): XmlListener {
  let [tables, row, column, rowTimes, cellTimes] = [0, 0, 0, 1, 1]
  let value: string | null = null
  let said: string[] | null = null
  let written: [column: number, text: string, note: CellNote | undefined][] = []
  const valueOf = (attributes: Attributes): string | null => {
    const type = attributes['value-type']
    if (type === 'date') return momentOf(attributes['date-value'] ?? '')
    if (type === 'boolean') return attributes['boolean-value'] === 'true' ? '是' : '否'
    return type === 'float' || type === 'currency' || type === 'percentage' ? (attributes.value ?? '') : null
  }
  const isCell = (name: string) => name === 'table-cell' || name === 'covered-table-cell'
  return {
    open(name, attributes) {
      if (name === 'table') tables += 1
      if (tables !== 1) return
      if (name === 'table-row') {
        rowTimes = stated(attributes['number-rows-repeated'])
        if (attributes.visibility === 'collapse' || attributes.visibility === 'filter') grid.hide(row)
        column = 0
        written = []
      }
      if (isCell(name)) {
        cellTimes = stated(attributes['number-columns-repeated'])
        value = valueOf(attributes)
        said = []
      }
      if (name === 'p' && said !== null && said.length > 0) said.push('\n')
      if (name === 's' || name === 'tab') said?.push(' ')
    },
    text: text => void said?.push(text),
    close(name) {
      if (tables !== 1) return
      if (isCell(name)) {
        const shown = (said?.join('') ?? '').trim()
        const text = (value ?? shown).trim()
        for (let times = 0; text !== '' && times < Math.min(cellTimes, MOST_COLUMNS); times++)
          written.push([column + times, text, noteOf(value, shown)])
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

/** A figure that is shown with zeros before it, and a day, which is the name of nothing. */
function noteOf(value: string | null, shown: string): CellNote | undefined {
  if (value === null) return shown.startsWith('#') || shown.startsWith('Err:') ? errorNote(shown) : undefined
  if (!/^\d+$/.test(value)) return { inexact: `不是文本（${value}），请把该列设为文本格式后重新填写` }
  return /^0+$/.test(shown.slice(0, -value.length)) && shown.endsWith(value) ? { shown } : undefined
}

/** The cells of an OpenDocument sheet that is one XML file. */
export function flatOdsCells(text: string, limit: RowLimit): Cells {
  const grid = new Grid(limit)
  readAll(text, openDocumentListener(grid))
  return grid.cells()
}

function readAll(text: string, listener: XmlListener, as: 'xml' | 'page' = 'xml'): void {
  const reader = xmlReader(listener, as)
  reader.write(text)
  reader.end()
}
