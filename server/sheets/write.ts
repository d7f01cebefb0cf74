import { PassThrough, type Readable } from 'node:stream'
import { once } from 'node:events'
import { strToU8, Zip, ZipDeflate, zipSync } from 'fflate'

/**
 * The format of a column's cells: figures, days and moments are numbers with a format, everything else is text and
 * never a formula.
 */
export type CellKind =
  | 'text'
  | 'whole'
  | 'quantity'
  | 'price'
  | 'amount'
  | 'percent'
  | 'wholePercent'
  | 'day'
  | 'instant'
export type SheetColumn = {
  readonly title: string
  readonly kind: CellKind
  /** Offered as a drop-down list in every cell of the column. */
  readonly choices?: readonly string[]
}
/** A cell marked as wrong. */
export type Wrong = { readonly wrong: string }
export type Cell = string | number | boolean | null | Wrong
/** A sheet after the rows: how to fill in the columns. */
export type Notes = { readonly title: string; readonly rows: readonly (readonly string[])[] }

const MOST_ROWS = 1_048_575
/** Excel keeps 15 digits of a number: a longer one stays text. */
const EXACT_DIGITS = 15
/** Index into `cellXfs` below. */
const style: Readonly<Record<CellKind | 'head', number>> = {
  text: 0,
  head: 1,
  whole: 2,
  quantity: 3,
  price: 4,
  amount: 5,
  percent: 6,
  wholePercent: 7,
  day: 8,
  instant: 9,
}
const WRONG = 10
/** Maximum length of a list of choices written into the sheet itself. */
const LONGEST_CHOICES = 255
/** Rows of a template that have drop-down lists. */
const CHOICE_ROWS = 5001

/**
 * Streams a workbook: heading rows, a frozen header row with a filter, then the rows as they come. At Excel's row limit
 * it ends the sheet and starts another. Every row and cell says its address: readers other than Excel need them.
 */
export function streamWorkbook(
  title: string,
  columns: readonly SheetColumn[],
  batches: AsyncIterable<readonly (readonly Cell[])[]>,
  notes: Notes | null = null,
  heading: Promise<readonly string[]> | readonly string[] = [],
): Readable {
  const out = new PassThrough()
  const zip = new Zip((error, chunk, final) => {
    if (error) out.destroy(error)
    else out.write(chunk)
    if (final) out.end()
  })
  write({ zip, out }, title, columns, batches, notes, heading).catch(error => out.destroy(error as Error))
  return out
}

async function write(
  { zip, out }: { zip: Zip; out: PassThrough },
  title: string,
  columns: readonly SheetColumn[],
  batches: AsyncIterable<readonly (readonly Cell[])[]>,
  notes: Notes | null,
  heading: Promise<readonly string[]> | readonly string[],
): Promise<void> {
  const above = await heading
  const first = above.length + 1
  const letters = columns.map((_, index) => columnLetters(index))
  let sheets = 0
  /** The row written last. */
  let last = MOST_ROWS
  let sheet: ZipDeflate | undefined
  let widths: readonly number[] = []
  const openSheet = () => {
    if (sheet) sheet.push(strToU8(sheetEnd(columns, first, last)), true)
    sheets++
    last = first
    sheet = new ZipDeflate(`xl/worksheets/sheet${sheets}.xml`, { level: 6 })
    zip.add(sheet)
    sheet.push(strToU8(sheetHead(columns, widths, above)))
    return sheet
  }
  for await (const batch of batches) {
    // Widths come before the rows, which are not yet there: the first batch decides for all.
    if (sheet === undefined) widths = widthsOf(columns, batch)
    let text = ''
    for (const row of batch) {
      if (last >= MOST_ROWS) {
        sheet?.push(strToU8(text))
        text = ''
        openSheet()
      }
      last++
      text += rowText(columns, letters, row, last)
    }
    ;(sheet ?? openSheet()).push(strToU8(text))
    if (out.destroyed) return
    if (out.writableNeedDrain) await once(out, 'drain')
  }
  if (sheet === undefined) widths = widthsOf(columns, [])
  ;(sheet ?? openSheet()).push(strToU8(sheetEnd(columns, first, last)), true)
  const more = notes === null ? [] : [notesSheet(sheets + 1, notes)]
  for (const [name, text] of [...more, ...frame(sheetNames(title, sheets, notes))]) {
    const part = new ZipDeflate(name, { level: 6 })
    zip.add(part)
    part.push(strToU8(text), true)
  }
  zip.end()
}

/** A sheet of a workbook that is written whole: lines above its table, the table, lines below it. */
export type WholeSheet = {
  readonly title: string
  readonly heading: readonly string[]
  readonly columns: readonly SheetColumn[]
  readonly rows: readonly (readonly Cell[])[]
  readonly footer: readonly string[]
}

/** A workbook of several sheets, each with a name of its own: of a size that is held at once. */
export function wholeWorkbook(sheets: readonly WholeSheet[]): Buffer {
  const names = distinct(sheets.map(({ title }) => title))
  const files = sheets.map(({ heading, columns, rows, footer }, at): [string, string] => {
    const letters = columns.map((_, index) => columnLetters(index))
    const first = heading.length + 1
    const last = first + rows.length
    const body = rows.map((row, index) => rowText(columns, letters, row, first + 1 + index)).join('')
    const below = footer
      .map((text, index) => [last + 2 + index, text] as const)
      .map(([number, text]) => `<row r="${number}">${textCell(`A${number}`, text, style.text)}</row>`)
      .join('')
    const whole = sheetHead(columns, widthsOf(columns, rows), heading) + body + below + sheetEnd(columns, first, last)
    return [`xl/worksheets/sheet${at + 1}.xml`, whole]
  })
  const parts = [...files, ...frame(names)].map(([name, text]) => [name, strToU8(text)] as const)
  return Buffer.from(zipSync(Object.fromEntries(parts)))
}

/** Names of sheets: what a workbook may call them, and none twice. */
function distinct(titles: readonly string[]): string[] {
  const used = new Map<string, number>()
  return titles.map(title => {
    const [name] = sheetNames(title, 1, null) as [string]
    const count = (used.get(name) ?? 0) + 1
    used.set(name, count)
    return count === 1 ? name : `${name.slice(0, 26)} ${count}`
  })
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const WORKSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

function sheetHead(columns: readonly SheetColumn[], widths: readonly number[], above: readonly string[] = []): string {
  const cols = widths
    .map((width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`)
    .join('')
  const at = above.length + 1
  const titles = columns.map(({ title }, index) => textCell(`${columnLetters(index)}${at}`, title, style.head)).join('')
  const said = above
    .map((text, index) => [index + 1, textCell(`A${index + 1}`, text, index === 0 ? style.head : style.text)] as const)
    .map(([row, cell]) => `<row r="${row}">${cell}</row>`)
    .join('')
  return (
    `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="` +
    `${above.length + 1}" topLeftCell="A${above.length + 2}" activePane="bottomLeft" state="frozen"/>` +
    `</sheetView></sheetViews><cols>${cols}</cols><sheetData>${said}<row r="${at}">${titles}</row>`
  )
}

/** After the rows: the filter over them, from the header in row `first` to the `last`, and drop-down lists of cells. */
function sheetEnd(columns: readonly SheetColumn[], first: number, last: number): string {
  const lists = columns.flatMap(({ choices = [] }, index) => {
    const text = choices.join(',')
    if (choices.length === 0 || text.length > LONGEST_CHOICES || choices.some(choice => /[,"]/.test(choice))) return []
    const letters = columnLetters(index)
    return (
      `<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="${letters}2:${letters}` +
      `${CHOICE_ROWS}"><formula1>"${escape(text)}"</formula1></dataValidation>`
    )
  })
  const all = lists.length === 0 ? '' : `<dataValidations count="${lists.length}">${lists.join('')}</dataValidations>`
  const filter = columns.length === 0 ? '' : `<autoFilter ref="A${first}:${columnLetters(columns.length - 1)}${last}"/>`
  return `</sheetData>${filter}${all}</worksheet>`
}

const columnLetters = (index: number): string =>
  (index >= 26 ? columnLetters(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26))

function notesSheet(number: number, { rows }: Notes): [string, string] {
  const [head = [], ...body] = rows
  const columns = head.map((title): SheetColumn => ({ title, kind: 'text' }))
  const letters = columns.map((_, index) => columnLetters(index))
  const text = body.map((row, at) => rowText(columns, letters, row, at + 2)).join('')
  const whole = sheetHead(columns, widthsOf(columns, body)) + text + sheetEnd(columns, 1, body.length + 1)
  return [`xl/worksheets/sheet${number}.xml`, whole]
}

/** Sheet names have at most 31 characters and none of []:*?/\ */
function sheetNames(title: string, sheets: number, notes: Notes | null): string[] {
  const clean = (text: string) =>
    escape(text.replace(/[[\]:*?/\\']/g, '').slice(0, 28)).replaceAll('"', '&quot;') || 'Sheet'
  const names = Array.from({ length: sheets }, (_, at) => `${clean(title)}${at > 0 ? ` ${at + 1}` : ''}`)
  return notes === null ? names : [...names, clean(notes.title)]
}

const rowText = (
  columns: readonly SheetColumn[],
  letters: readonly string[],
  row: readonly Cell[],
  number: number,
): string =>
  `<row r="${number}">` +
  columns.map(({ kind }, index) => cellText(`${letters[index]}${number}`, kind, row[index] ?? null)).join('') +
  '</row>'

/** An empty cell is not written. */
function cellText(at: string, kind: CellKind, value: Cell): string {
  if (value === null || value === '') return ''
  if (typeof value === 'object')
    return value.wrong === '' ? `<c r="${at}" s="${WRONG}"/>` : textCell(at, value.wrong, WRONG)
  if (kind === 'text') return textCell(at, String(value), style.text)
  const figure = figureOf(kind, String(value))
  return isExact(figure) ? `<c r="${at}" s="${style[kind]}"><v>${figure}</v></c>` : textCell(at, String(value), 0)
}

const isExact = (figure: string): boolean =>
  /^-?\d+(\.\d+)?$/.test(figure) && figure.replace(/[-.]/g, '').length <= EXACT_DIGITS

const textCell = (at: string, text: string, index: number): string =>
  `<c r="${at}" t="inlineStr" s="${index}"><is><t xml:space="preserve">${escape(text)}</t></is></c>`

const DAY_MS = 86_400_000
/** The day that workbooks count from. */
const EPOCH = Date.UTC(1899, 11, 30)
/** The 15 digits of a workbook hold a moment to the millisecond. */
const PLACES_OF_DAY = 9

/** The number of a cell: of a day and of a moment (`2026-01-31 08:30:00`) the days since the epoch. */
function figureOf(kind: CellKind, text: string): string {
  if (kind !== 'day' && kind !== 'instant') return text
  const at = Date.parse(kind === 'day' ? `${text}T00:00:00Z` : `${text.replace(' ', 'T')}Z`)
  if (Number.isNaN(at)) return text
  return ((at - EPOCH) / DAY_MS).toFixed(kind === 'day' ? 0 : PLACES_OF_DAY)
}

const NARROWEST = 8
const WIDEST = 60
/** The filter's button beside a title. */
const BUTTON = 3
/** Places and separators that a format adds to a figure. */
const ADDED: Readonly<Record<CellKind, number>> = {
  text: 0,
  whole: 0,
  quantity: 5,
  price: 5,
  amount: 5,
  percent: 3,
  wholePercent: 0,
  day: 0,
  instant: 0,
}

/** Characters of half the width of 中. */
function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += character.codePointAt(0)! >= 0x2e80 ? 2 : 1
  return width
}

/** Column widths by what is in them: the title and the longest cell. */
const widthsOf = (columns: readonly SheetColumn[], rows: readonly (readonly Cell[])[]): number[] =>
  columns.map(({ title, kind }, index) => {
    let widest = widthOf(title) + BUTTON
    for (const row of rows) {
      const cell = row[index] ?? null
      const text = typeof cell === 'object' ? (cell?.wrong ?? '') : String(cell)
      if (text !== '') widest = Math.max(widest, widthOf(text) + ADDED[kind])
    }
    return Math.min(WIDEST, Math.max(NARROWEST, widest + 1))
  })

const escape = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no way to write these
  text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .slice(0, 32_767)

/** The parts around the sheets. */
function frame(names: readonly string[]): [string, string][] {
  const numbers = names.map((_, index) => index + 1)
  const formats = ['#,##0.000', '#,##0.0000', '#,##0.00', '0.00%', '0%', 'yyyy-mm-dd', 'yyyy-mm-dd hh:mm:ss']
  const cells = [0, 0, 1, 164, 165, 166, 167, 168, 169, 170, 0].map(
    (format, index) =>
      `<xf numFmtId="${format}" fontId="${index === 1 ? 1 : 0}" fillId="${index === WRONG ? 2 : 0}" ` +
      `borderId="0" xfId="0" applyNumberFormat="1"${index === WRONG ? ' applyFill="1"' : ''}` +
      `${index === 1 ? ' applyFont="1"' : ''}/>`,
  )
  return [
    [
      'xl/styles.xml',
      `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="${formats.length}">` +
        formats.map((format, index) => `<numFmt numFmtId="${164 + index}" formatCode="${format}"/>`).join('') +
        '</numFmts><fonts count="2"><font><sz val="11"/><name val="等线"/></font>' +
        '<font><b/><sz val="11"/><name val="等线"/></font></fonts><fills count="3">' +
        '<fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
        '<fill><patternFill patternType="solid"><fgColor rgb="FFFFC7CE"/></patternFill></fill></fills>' +
        '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
        '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="' +
        `${cells.length}">${cells.join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" ` +
        'builtinId="0"/></cellStyles></styleSheet>',
    ],
    [
      'xl/workbook.xml',
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>` +
        names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('') +
        '</sheets></workbook>',
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">` +
        numbers
          .map(n => `<Relationship Id="rId${n}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n}.xml"/>`)
          .join('') +
        `<Relationship Id="rId${names.length + 1}" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    ],
    [
      '_rels/.rels',
      `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}` +
        '/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    ],
    [
      '[Content_Types].xml',
      `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ` +
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ' +
        'ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ' +
        'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override ' +
        'PartName="/xl/styles.xml" ' +
        'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>' +
        numbers.map(n => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${WORKSHEET}"/>`).join('') +
        '</Types>',
    ],
  ]
}
