/** The marks of workbooks: a zip file (.xlsx), and the compound file of an .xls. Everything else is text. */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0]
/** An .xls of Excel 2 to 4 begins with its first record, without a compound file around it. */
const isBareXls = (file: Uint8Array): boolean => file[0] === 0x09 && [0x00, 0x02, 0x04, 0x08].includes(file[1] ?? -1)
const isBinary = (file: Uint8Array): boolean =>
  (file[0] === 0x50 && file[1] === 0x4b) || COMPOUND.every((byte, at) => file[at] === byte) || isBareXls(file)

/** UTF-8 with or without its mark, UTF-16 with its mark ("Unicode 文本"), else GBK, as Excel and WPS write CSV. */
function decoded(file: Uint8Array): string | null {
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
  const head =
    text
      .slice(0, LONGEST_HEAD)
      .replace(/"[^"]*"/g, '')
      .split(/[\r\n]/, 1)[0] ?? ''
  const counted = DELIMITERS.map(delimiter => ({ delimiter, times: head.split(delimiter).length }))
  return counted.toSorted((a, b) => b.times - a.times)[0]!.delimiter
}

/** `="0690"` is how a text is kept from becoming a number in Excel. */
const cellOf = (text: string): string => (/^="(.*)"$/s.exec(text)?.[1] ?? text).trim()

type Read = { readonly cell: string; readonly end: number }

/** A quoted cell that begins at `from`; null: its quote is never closed. What follows the quote belongs to the cell. */
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
    row.push(cellOf(read.cell))
    at = read.end + 1
    if (text[read.end] === delimiter && at < text.length) continue
    if (text[read.end] === '\r' && text[at] === '\n') at += 1
    rows.push(row)
    row = []
  }
  return rows
}

/** The rows of a CSV file, none of what is no text; null: a workbook, also one that is written as a page or in XML. */
export function csvRows(file: Uint8Array, most: number): string[][] | null {
  if (isBinary(file)) return null
  const text = decoded(file)
  if (text === null || text.includes('\u0000')) return []
  return text.trimStart().startsWith('<') ? null : rowsOf(text, most)
}
