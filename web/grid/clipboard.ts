/** Excel's clipboard text: tabs between cells, line ends between rows, quotes around cells that hold either. */
export function readBlock(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]]
  let cell = ''
  let quoted = false
  const put = () => {
    rows.at(-1)?.push(cell)
    cell = ''
  }
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string
    if (quoted) {
      if (sign === '"' && text[at + 1] === '"') cell += text[++at]
      else if (sign === '"') quoted = false
      else cell += sign
    } else if (sign === '"' && cell === '') quoted = true
    else if (sign === '\t') put()
    else if (sign === '\n') {
      put()
      rows.push([])
    } else if (sign !== '\r') cell += sign
  }
  put()
  // Excel ends every block with a line end.
  if (rows.length > 1 && rows.at(-1)?.length === 1 && rows.at(-1)?.[0] === '') rows.pop()
  return rows
}

const quote = (cell: string): string => (/[\t\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

export const writeBlock = (rows: readonly (readonly string[])[]): string =>
  rows.map(row => row.map(quote).join('\t')).join('\n')
