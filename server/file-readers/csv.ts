import { type Cells, MOST_COLUMNS, noCells, type RowLimit } from '#server/file-readers/grid.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { withoutTextMark } from '#kernel/values/written-figure.ts'
import { onlyInFileWorker } from '#server/file-workers/in-worker.ts'

/** Letters of western languages stand alone among those of ASCII; the bytes of Chinese characters come in pairs. */
const isWestern = (file: Uint8Array): boolean => !file.some((byte, at) => byte >= 0x80 && file[at + 1]! >= 0x80)

/**
 * UTF-8 with or without its mark, UTF-16 with its mark ("Unicode 文本"), else GBK, as Excel and WPS write CSV, or
 * Windows-1252 of programs from elsewhere: ° of °F and the letter behind it would be one character of GBK.
 */
export function decoded(file: Uint8Array): string | null {
  const marked =
    file[0] === 0xff && file[1] === 0xfe ? 'utf-16le' : file[0] === 0xfe && file[1] === 0xff ? 'utf-16be' : null
  for (const encoding of marked === null ? ['utf-8', isWestern(file) ? 'windows-1252' : 'gb18030'] : [marked])
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(file)
    } catch {
      // The next encoding.
    }
  return null
}

/** The delimiter is looked for in this many characters. */
const LONGEST_HEAD = 20_000
const DELIMITERS = [',', '\t', ';', '|']
/** `sep=;` on the first line is how a program tells Excel the delimiter. */
const SEPARATOR_LINE = /^sep=(.)\r?\n/i

/**
 * The delimiters that a text may have, the likeliest first: the one by which most lines have as many cells as each
 * other, then the one of more cells.
 */
function delimitersOf(text: string): readonly string[] {
  const stated = SEPARATOR_LINE.exec(text)?.[1]
  if (stated !== undefined) return [stated]
  const head = text.slice(0, LONGEST_HEAD)
  const weighed = DELIMITERS.filter(delimiter => head.includes(delimiter)).map(delimiter => {
    const widths = Map.groupBy(rowsOf(head, delimiter, head.length, true) ?? [], row => row.length)
    const alike = [...widths].filter(([width]) => width > 1).map(([width, rows]) => ({ width, lines: rows.length }))
    const [best] = alike.toSorted((one, other) => other.lines - one.lines || other.width - one.width)
    return { delimiter, width: 0, lines: 0, ...best }
  })
  const known = weighed.toSorted((one, other) => other.lines - one.lines || other.width - one.width)
  return known.length === 0 ? [','] : known.map(({ delimiter }) => delimiter)
}

/** `="0690"` is how a text is kept from becoming a number in Excel, and so is an apostrophe before it. */
const cellOf = (text: string): string =>
  withoutTextMark((text.length > 2 && text.startsWith('="') && text.endsWith('"') ? text.slice(2, -1) : text).trim())

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
 * rows. Null where a quote is never closed, unless the text is only a beginning (`isCut`).
 */
function rowsOf(text: string, delimiter: string, most: number, isCut = false): string[][] | null {
  const end = new RegExp(`[${delimiter.replace(/[\\\]^-]/, String.raw`\$&`)}\r\n]`, 'g')
  const rows: string[][] = []
  let row: string[] = []
  for (let at = 0; at < text.length && rows.length < most; ) {
    const read = text[at] === '"' ? quotedCell(text, at, end) : plainCell(text, at, end)
    if (read === null) return isCut ? rows : null
    if (row.length <= MOST_COLUMNS) row.push(cellOf(read.cell))
    at = read.end + 1
    if (text[read.end] === delimiter && at < text.length) continue
    if (text[read.end] === '\r' && text[at] === '\n') at += 1
    rows.push(row)
    row = []
  }
  return rows
}

/**
 * The cells of a text file by each delimiter that it may have, the likeliest first: whoever knows the headings takes
 * the one that has them. No cells where it is no text of ours, or a quote is never closed.
 */
export function textTables(file: Uint8Array, limit: RowLimit): readonly (() => Cells)[] {
  onlyInFileWorker('a text')
  const text = decoded(file)
  if (text === null || text.includes('\u0000')) return [() => noCells]
  return delimitersOf(text).map(delimiter => () => textCells(text, delimiter, limit))
}

function textCells(text: string, delimiter: string, { most, sentence }: RowLimit): Cells {
  const all = rowsOf(text, delimiter, most + 1) ?? []
  if (all.length > most) throw new BusinessError('invalid', sentence)
  // The line that states the delimiter is none of the table, and neither are empty ones above it.
  const stated = SEPARATOR_LINE.test(text) ? 1 : 0
  const above = all.findIndex((row, at) => at >= stated && row.some(cell => cell !== ''))
  if (above < 0) return noCells
  const rows = all.slice(above)
  // A row with more cells than there are headings has a comma too many: its values do not stand where they belong.
  const width = Math.max(0, ...rows.map(row => row.length))
  return {
    ...noCells,
    first: above + 1,
    rows: rows.map(row => [...row, ...Array<string>(width - row.length).fill('')]),
  }
}
