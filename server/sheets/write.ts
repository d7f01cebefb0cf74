import { PassThrough, type Readable } from 'node:stream'
import { once } from 'node:events'
import { strToU8, Zip, ZipDeflate } from 'fflate'

/** The format of a column's cells: figures are figures with a format, everything else is text and never a formula. */
export type CellKind = 'text' | 'whole' | 'quantity' | 'price' | 'amount' | 'percent' | 'day'
export type SheetColumn = {
  readonly title: string
  readonly kind: CellKind
  readonly width?: number
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
  day: 7,
}
const WRONG = 8
/** Maximum length of a list of choices written into the sheet itself. */
const LONGEST_CHOICES = 255
/** Rows of a template that have drop-down lists. */
const CHOICE_ROWS = 5001

/**
 * Streams a workbook: heading rows, a frozen header row, then the rows as they come. At Excel's row limit it ends
 * the sheet and starts another.
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
  let sheets = 0
  let rows = MOST_ROWS
  let sheet: ZipDeflate | undefined
  const openSheet = () => {
    if (sheet) sheet.push(strToU8(sheetEnd(columns)), true)
    sheets++
    rows = above.length
    sheet = new ZipDeflate(`xl/worksheets/sheet${sheets}.xml`, { level: 6 })
    zip.add(sheet)
    sheet.push(strToU8(sheetHead(columns, above)))
    return sheet
  }
  for await (const batch of batches) {
    let text = ''
    for (const row of batch) {
      if (rows >= MOST_ROWS - 1) {
        sheet?.push(strToU8(text))
        text = ''
        openSheet()
      }
      text += rowText(columns, row)
      rows++
    }
    ;(sheet ?? openSheet()).push(strToU8(text))
    if (out.destroyed) return
    if (out.writableNeedDrain) await once(out, 'drain')
  }
  ;(sheet ?? openSheet()).push(strToU8(sheetEnd(columns)), true)
  const more = notes === null ? [] : [notesSheet(sheets + 1, notes)]
  for (const [name, text] of [...more, ...frame(sheetNames(title, sheets, notes))]) {
    const part = new ZipDeflate(name, { level: 6 })
    zip.add(part)
    part.push(strToU8(text), true)
  }
  zip.end()
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const WORKSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

function sheetHead(columns: readonly SheetColumn[], above: readonly string[] = []): string {
  const widths = columns
    .map(
      (column, index) => `<col min="${index + 1}" max="${index + 1}" width="${column.width ?? 16}" customWidth="1"/>`,
    )
    .join('')
  const titles = columns.map(column => textCell(column.title, style.head)).join('')
  const said = above.map((text, at) => `<row>${textCell(text, at === 0 ? style.head : style.text)}</row>`).join('')
  return (
    `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="` +
    `${above.length + 1}" topLeftCell="A${above.length + 2}" activePane="bottomLeft" state="frozen"/>` +
    `</sheetView></sheetViews><cols>${widths}</cols><sheetData>${said}<row>${titles}</row>`
  )
}

/** After the rows: the drop-down lists of the cells. */
function sheetEnd(columns: readonly SheetColumn[]): string {
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
  return `</sheetData>${all}</worksheet>`
}

const columnLetters = (index: number): string =>
  (index >= 26 ? columnLetters(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26))

function notesSheet(number: number, { rows }: Notes): [string, string] {
  const [head = [], ...body] = rows
  const columns: SheetColumn[] = head.map((title, at) => ({
    title,
    kind: 'text',
    width: at === head.length - 1 ? 80 : 18,
  }))
  const text = body.map(row => rowText(columns, row)).join('')
  return [`xl/worksheets/sheet${number}.xml`, sheetHead(columns) + text + sheetEnd([])]
}

/** Sheet names have at most 31 characters and none of []:*?/\ */
function sheetNames(title: string, sheets: number, notes: Notes | null): string[] {
  const clean = (text: string) =>
    escape(text.replace(/[[\]:*?/\\']/g, '').slice(0, 28)).replaceAll('"', '&quot;') || 'Sheet'
  const names = Array.from({ length: sheets }, (_, at) => `${clean(title)}${at > 0 ? ` ${at + 1}` : ''}`)
  return notes === null ? names : [...names, clean(notes.title)]
}

const rowText = (columns: readonly SheetColumn[], row: readonly Cell[]): string =>
  `<row>${columns.map((column, index) => cellText(column.kind, row[index] ?? null)).join('')}</row>`

function cellText(kind: CellKind, value: Cell): string {
  if (value === null || value === '') return '<c/>'
  if (typeof value === 'object') return value.wrong === '' ? `<c s="${WRONG}"/>` : textCell(value.wrong, WRONG)
  if (kind === 'text') return textCell(String(value), style.text)
  const figure = kind === 'day' ? dayNumber(String(value)) : String(value)
  const isExact = /^-?\d+(\.\d+)?$/.test(figure) && figure.replace(/[-.]/g, '').length <= EXACT_DIGITS
  return isExact ? `<c s="${style[kind]}"><v>${figure}</v></c>` : textCell(String(value), style.text)
}

const textCell = (text: string, index: number): string =>
  `<c t="inlineStr" s="${index}"><is><t xml:space="preserve">${escape(text)}</t></is></c>`

/** Days since Excel's epoch; a text that is not a day stays text. */
const dayNumber = (day: string): string => {
  const at = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(at) ? day : String(Math.round((at - Date.UTC(1899, 11, 30)) / 86_400_000))
}

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
  const formats = ['#,##0.000', '#,##0.0000', '#,##0.00', '0.00%', 'yyyy-mm-dd']
  const cells = [0, 0, 1, 164, 165, 166, 167, 168, 0].map(
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
        '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="' +
        `${cells.length}">${cells.join('')}</cellXfs></styleSheet>`,
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
