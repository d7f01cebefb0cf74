export type Cell = { readonly at: number; readonly column: number }
/** Anchor and head of a selection; the head is the active cell. */
export type Selected = { readonly anchor: Cell; readonly head: Cell }
export type Block = { readonly top: number; readonly bottom: number; readonly left: number; readonly right: number }

export const single = (cell: Cell): Selected => ({ anchor: cell, head: cell })
export const blockOf = ({ anchor, head }: Selected): Block => ({
  top: Math.min(anchor.at, head.at),
  bottom: Math.max(anchor.at, head.at),
  left: Math.min(anchor.column, head.column),
  right: Math.max(anchor.column, head.column),
})

const within = (value: number, last: number): number => Math.max(0, Math.min(value, last))
export const clampCell = (cell: Cell, rows: number, columns: number): Cell => ({
  at: within(cell.at, rows - 1),
  column: within(cell.column, columns - 1),
})

/** The next editable cell, along the line and then on the next; null past the end. */
export function nextWritable(from: Cell, rows: number, writable: readonly boolean[], back = false): Cell | null {
  const step = back ? -1 : 1
  let { at, column } = from
  for (let tries = 0; tries < writable.length * 2; tries++) {
    column += step
    if (column < 0 || column >= writable.length) {
      at += step
      column = back ? writable.length - 1 : 0
    }
    if (at < 0 || at >= rows) return null
    if (writable[column]) return { at, column }
  }
  return null
}
