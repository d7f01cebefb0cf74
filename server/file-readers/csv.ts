import { type Cells, MOST_COLUMNS, noCells, type RowLimit } from '#server/file-readers/grid.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { onlyInFileWorker } from '#server/file-workers/in-worker.ts'

/** UTF-8 with or without its mark, UTF-16 with its mark ("Unicode 文本"), else GBK, as Excel and WPS write CSV. */
export function decoded(file: Uint8Array): string | null {
  const marked =
    file[0] === 0xff && file[1] === 0xfe ? 'utf-16le' : file[0] === 0xfe && file[1] === 0xff ? 'utf-16be' : null
  for (const encoding of marked === null ? ['utf-8', 'gb18030'] : [marked])
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(file)
    } catch {
      // The next encoding.
    }
  return null
}

/** The delimiter is looked for in this many characters. */
const LONGEST_HEAD = 20_000
const DELIMITERS = [',', '\t', ';']

/** The delimiter is the one that the first line has most of, outside quotes. */
function delimiterOf(text: string): string {
  const times = new Map(DELIMITERS.map(delimiter => [delimiter, 0]))
  let isQuoted = false
  for (const character of text.slice(0, LONGEST_HEAD)) {
    if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (character === '\n' || character === '\r') break
    else if (times.has(character)) times.set(character, times.get(character)! + 1)
  }
  return DELIMITERS.toSorted((a, b) => times.get(b)! - times.get(a)!)[0]!
}

/** `="0690"` is how a text is kept from becoming a number in Excel. */
const cellOf = (text: string): string =>
  (text.length > 2 && text.startsWith('="') && text.endsWith('"') ? text.slice(2, -1) : text).trim()

type Read = { readonly cell: string; readonly end: number }

/** A quoted cell that begins at `from`; null: its quote is never closed. Text after the quote belongs to the cell. */
function quotedCell(text: string, from: number, end: RegExp): Read | null {
  let close = text.indexOf('"', from + 1)
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
  if (close < 0) return null
  const rest = plainCell(text, close + 1, end)
  return { cell: text.slice(from + 1, close).replaceAll('""', '"') + rest.cell, end: rest.end }
}

function plainCell(text: string, from: number, end: RegExp): Read {
  end.lastIndex = from
  const at = end.exec(text)?.index ?? text.length
  return { cell: text.slice(from, at), end: at }
}

/**
 * Rows of a text whose cells are separated, quoted where they must be (RFC 4180), in one pass; no more than `most`
 * rows, and none where a quote is never closed.
 */
function rowsOf(text: string, most: number): string[][] {
  const delimiter = delimiterOf(text)
  const end = new RegExp(`[${delimiter}\\r\\n]`, 'g')
  const rows: string[][] = []
  let row: string[] = []
  for (let at = 0; at < text.length && rows.length < most; ) {
    const read = text[at] === '"' ? quotedCell(text, at, end) : plainCell(text, at, end)
    if (read === null) return []
    if (row.length <= MOST_COLUMNS) row.push(cellOf(read.cell))
    at = read.end + 1
    if (text[read.end] === delimiter && at < text.length) continue
    if (text[read.end] === '\r' && text[at] === '\n') at += 1
    rows.push(row)
    row = []
  }
  return rows
}

/** The cells of a text file; none where it is no text of ours, or a quote is never closed. */
export function textCells(file: Uint8Array, { most, sentence }: RowLimit): Cells {
  onlyInFileWorker('a text')
  const text = decoded(file)
  if (text === null || text.includes('\u0000')) return noCells
  const rows = rowsOf(text, most + 1)
  if (rows.length > most) throw new BusinessError('invalid', sentence)
  // A row with more cells than there are headings has a comma too many: its values do not stand where they belong.
  const width = Math.max(0, ...rows.map(row => row.length))
  return { ...noCells, rows: rows.map(row => [...row, ...Array<string>(width - row.length).fill('')]) }
}
