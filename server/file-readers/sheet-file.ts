import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { contentOf, mustBe } from '#server/file-readers/content.ts'
import { decoded, textTables } from '#server/file-readers/csv.ts'
import { type Cells, MOST_COLUMNS, type RowLimit } from '#server/file-readers/grid.ts'
import {
  openDocumentSheets,
  pageCells,
  type Reading,
  readingOf,
  xmlSheets,
} from '#server/file-readers/markup-tables.ts'
import { roundedText } from '#server/file-readers/number-cell.ts'
import { binarySheets } from '#server/file-readers/xls.ts'
import { xlsxSheets } from '#server/file-readers/xlsx.ts'
import { xmlReader } from '#server/file-readers/xml.ts'
import { Zip } from '#server/file-readers/zip.ts'
import { EXAMPLE, REASONS, type Sheet, type SheetRow } from '#server/sheets/sheet.ts'

const MB = 1024 * 1024
/** Maximum unpacked bytes of a workbook; no sheet within our row limit comes near. */
const MOST_UNPACKED = 96 * MB
/** Maximum rows of one import. */
const MOST_ROWS = 5000
/** Headings are within this many rows. */
const MOST_ABOVE = 20
/** Rows that one sentence names. */
const MOST_NAMED = 10
/** The rows that a recorder writes in weeks: more than people import. */
const MOST_RECORDED = 50_000

const TABLES = ['xlsx', 'xlsb', 'xls', 'xmlSheet', 'ods', 'flatOds', 'page', 'text'] as const

const unreadable = () => new BusinessError('invalid', '文件无法识别，请使用 .xls、.xlsx 或 .csv 格式')

/** The sheets of a table in whatever format it is, whatever its name says; at least one. */
function sheetsOf(file: Buffer, limit: RowLimit): readonly (() => Cells)[] {
  if (contentOf(file) === 'unknown') throw unreadable()
  const content = mustBe(file, TABLES, ' Excel 或 CSV 文件（.xlsx、.xls、.csv）')
  const sheets = readAs(content, file, limit)
  if (sheets === null || sheets.length === 0) throw unreadable()
  return sheets
}

function readAs(content: (typeof TABLES)[number], file: Buffer, limit: RowLimit): readonly (() => Cells)[] | null {
  switch (content) {
    case 'xlsx':
      return xlsxSheets(file, MOST_UNPACKED, limit)
    case 'xlsb':
      return binarySheets(new Zip(file, MOST_UNPACKED).repacked(), limit)
    case 'xls':
      return binarySheets(file, limit)
    case 'ods':
      return openDocumentSheets(odsReading(file), limit)
    case 'text':
      return textTables(file, limit)
    default: {
      const text = decoded(file)
      if (text === null) return null
      if (content === 'page') return [() => pageCells(text, limit)]
      return (content === 'xmlSheet' ? xmlSheets : openDocumentSheets)(readingOf(text), limit)
    }
  }
}

/** The first of some sheets that has a cell. */
function firstWritten(sheets: readonly (() => Cells)[]): Cells {
  const { value } = writtenIn(sheets).next()
  if (value === undefined) throw unreadable()
  return value
}

/** Sheets that have a cell, each read when it is asked for. */
function* writtenIn(sheets: readonly (() => Cells)[]): Generator<Cells, undefined> {
  for (const sheet of sheets) {
    const cells = sheet()
    if (cells.rows.length > 0) yield cells
  }
}

function odsReading(file: Buffer): Reading {
  const zip = new Zip(file, MOST_UNPACKED)
  if (zip.bytes('META-INF/manifest.xml')?.includes('encryption-data'))
    throw new BusinessError('invalid', '文件加了密码，请取消密码后再上传')
  return listener => {
    const reader = xmlReader(listener)
    zip.text('content.xml', text => reader.write(text))
    reader.end()
  }
}

/**
 * Reads the first sheet that has `wanted` headings, without the rows above them: headings, then rows; empty rows and
 * examples are skipped. Without such a sheet the first row that is not empty has the headings. Refused with their
 * place: hidden rows, merged cells, headings that occur twice, columns without a heading.
 */
export function parseSheet(file: Buffer, wanted: readonly string[] = []): Sheet {
  const sentence = `一次最多导入${MOST_ROWS}行，请分批导入`
  const sheets = sheetsOf(file, { most: MOST_ROWS + MOST_ABOVE, sentence })
  const { cells, head } = headed(sheets, new Set(wanted))
  const headings = cells.rows[head]!.slice(0, MOST_COLUMNS + 1).map(headingOf)
  const rows = cells.rows.flatMap((row, at): SheetRow[] => {
    if (at <= head || row.every(text => text === '') || row.find(text => text !== '')!.startsWith(EXAMPLE)) return []
    return [rowOf(cells, headings, at)]
  })
  if (rows.length > MOST_ROWS) throw new BusinessError('invalid', sentence)
  refuseUnclear(cells, head, headings, rows)
  return { headings: headings.filter(heading => heading !== '' && heading !== REASONS), rows }
}

function rowOf({ rows, first, notes }: Cells, headings: readonly string[], at: number): SheetRow {
  const known = headings.flatMap((heading, column) => {
    const note = notes.get(`${at}/${column}`)
    return note === undefined ? [] : [[heading, note] as const]
  })
  const cells = headings.map((heading, column) => [heading, rows[at]![column] ?? ''] as const)
  return { number: first + at, cells: new Map(cells), ...(known.length > 0 ? { notes: new Map(known) } : {}) }
}

/** A list of the columns in words has one of the headings in a row. */
const FEWEST_HEADINGS = 2

/** The first sheet that has several of the wanted headings, else one of them, and the row that has the most. */
function headed(sheets: readonly (() => Cells)[], wanted: ReadonlySet<string>): { cells: Cells; head: number } {
  let first: Cells | null = null
  let single: { cells: Cells; head: number } | null = null
  for (const cells of writtenIn(sheets)) {
    first ??= cells
    if (wanted.size === 0) break
    const found = cells.rows
      .slice(0, MOST_ABOVE)
      .map(row => new Set(row.map(headingOf).filter(heading => wanted.has(heading))).size)
    const most = Math.max(0, ...found)
    const here = { cells, head: found.indexOf(most) }
    if (most >= FEWEST_HEADINGS) return here
    if (most > 0) single ??= here
  }
  if (first === null) throw unreadable()
  return single ?? { cells: first, head: 0 }
}

/** Refuses a file that a person and a program would read differently. */
function refuseUnclear(cells: Cells, head: number, headings: readonly string[], rows: readonly SheetRow[]): void {
  const refuse = (sentence: string): never => {
    throw new BusinessError('invalid', sentence)
  }
  const twice = headings.findIndex((heading, at) => heading !== '' && headings.indexOf(heading) !== at)
  if (twice >= 0) refuse(`列【${headings[twice]}】出现了两次，请删除或改名其中一列`)
  const number = (at: number) => cells.first + at
  const hidden = rows.filter(row => cells.hidden.has(row.number - cells.first)).map(row => row.number)
  if (hidden.length > 0)
    refuse(`第${hidden.slice(0, MOST_NAMED).join('、')}行被隐藏或筛掉，请取消隐藏和筛选，或删除这些行后再导入`)
  const written = new Set(rows.map(row => row.number))
  const merged = cells.merged.find(
    ({ from, to }) => to[0] >= head && (from[0] <= head || written.has(number(from[0])) || written.has(number(to[0]))),
  )
  if (merged) {
    const [from, to] = [number(merged.from[0]), number(merged.to[0])]
    refuse(`第${from === to ? from : `${from}至${to}`}行有合并单元格，请取消合并，逐格填写`)
  }
  const untitled = headings.findIndex((heading, at) => heading === '' && isWritten(cells, head, at))
  if (untitled >= 0) refuse(`第${untitled + 1}列没有列名而有内容，请补上列名或删除该列`)
}

const isWritten = ({ rows }: Cells, head: number, column: number): boolean =>
  rows.some((row, at) => at > head && (row[column] ?? '') !== '')

/** A heading on one line; those of required columns end with a star. */
function headingOf(text: string): string {
  const title = text.replace(/\s+/g, ' ').trim()
  return title.endsWith('*') || title.endsWith('＊') ? title.slice(0, -1).trimEnd() : title
}

const RECORDED = { most: MOST_RECORDED, sentence: `文件超过${MOST_RECORDED}行，请分段导出` }

/** The cells of the first sheet that has any, unchanged: for files that were not made from a template. */
export const parseCells = (file: Buffer): readonly (readonly string[])[] => firstWritten(sheetsOf(file, RECORDED)).rows

/** Writes a heading into each column that it stands over; a title over the whole row stays where it is. */
function spread(row: string[] | undefined, from: number, to: number): void {
  if (row?.some((cell, at) => cell !== '' && (at < from || at > to))) row.fill(row[from] ?? '', from, to + 1)
}

/**
 * The sheets of a file that was not made from a template, each with its cells as a person sees them: a heading over
 * several columns stands in each.
 */
export function* parseTables(file: Buffer): Generator<readonly (readonly string[])[]> {
  for (const { rows, notes, merged } of writtenIn(sheetsOf(file, RECORDED))) {
    const shown = rows.map(cells => [...cells])
    for (const [place, { shown: text, inexact: lost }] of notes) {
      const [row = 0, column = 0] = place.split('/').map(parseInteger)
      const written = rows[row]![column]!
      if (text !== undefined) shown[row]![column] = text
      else if (lost !== undefined) shown[row]![column] = roundedText(written)
    }
    for (const { from, to } of merged) if (from[0] === to[0]) spread(shown[from[0]], from[1], to[1])
    yield shown
  }
}
