import { faces } from '#web/fields/field-renderers.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import type { GridColumn } from '#web/grid/grid-column.ts'
import type { Edit, Line } from '#web/grid/lines.ts'
import type { Block, Cell } from '#web/grid/range.ts'

/** Parses text written into a cell, as an edit. Unparsable text is kept, with the reason beside it. */
export function writtenCell(column: GridColumn, text: string): Omit<Edit, 'at'> {
  const parse = faces[column.field.as].parse
  const read = parse?.(text, column.field)
  if (read === undefined)
    return {
      values: { [column.name]: text === '' ? null : text },
      problems: { [column.name]: text === '' ? null : `请从列表中选择【${column.title}】` },
    }
  return 'value' in read
    ? { values: { [column.name]: read.value } }
    : { values: { [column.name]: text.trim() }, problems: { [column.name]: read.problem } }
}

/** Empties the editable cells of a block. */
export function cleared(block: Block, columns: readonly GridColumn[]): readonly Edit[] {
  const names = columns.slice(block.left, block.right + 1).filter(column => column.editable)
  const values = Object.fromEntries(
    names.flatMap(column => [
      [column.name, column.field.as === 'codes' || column.field.as === 'files' ? [] : null],
      ...(column.textFrom ? [[column.textFrom, null]] : []),
    ]),
  )
  return Array.from({ length: block.bottom - block.top + 1 }, (_, index) => ({ at: block.top + index, values }))
}

/** Ctrl+D: copies the top cells of a block down; a single cell copies the one above. */
export function filledDown(block: Block, columns: readonly GridColumn[], lines: readonly Line[]): readonly Edit[] {
  const from = block.top === block.bottom ? block.top - 1 : block.top
  const source = lines[from]
  if (source === undefined) return []
  const names = columns
    .slice(block.left, block.right + 1)
    .filter(column => column.editable && column.field.as !== 'codes')
    .flatMap(column => [column.name, ...besides(column)])
  const values = Object.fromEntries(names.map(name => [name, source.values[name] ?? null]))
  return Array.from({ length: block.bottom - from }, (_, index) => ({ at: from + 1 + index, values }))
}

/** Fields copied with a chosen row: a product brings its name, specification and unit. */
const besides = (column: GridColumn): readonly string[] =>
  column.field.as === 'ref' ? [column.textFrom ?? '', ...carriedBy(column)].filter(name => name !== '') : []
const carriedBy = (column: GridColumn): readonly string[] =>
  column.name === 'specification_sn' ? ['specification_name'] : [column.name.replace(/(_model)?(_inner)?_sn$/, '_name')]

export type Pasted = {
  readonly edits: readonly Edit[] /** Cells whose text is to be looked up: `ref` columns. */
  readonly lookups: readonly { readonly at: number; readonly column: GridColumn; readonly text: string }[]
}

/** A pasted block, from the active cell to the right and down; new lines are created as needed. */
export function pasted(rows: readonly (readonly string[])[], start: Cell, columns: readonly GridColumn[]): Pasted {
  const lookups: { at: number; column: GridColumn; text: string }[] = []
  const edits = rows.map((cells, down) => {
    let values: Row = {}
    let problems: Readonly<Record<string, string | null>> = {}
    cells.forEach((text, right) => {
      const column = columns[start.column + right]
      if (column === undefined || !column.editable || column.field.as === 'files') return
      if (column.field.as === 'ref' && text.trim() !== '') {
        lookups.push({ at: start.at + down, column, text: text.trim() })
        return
      }
      const edit = writtenCell(column, text)
      values = { ...values, ...edit.values }
      problems = { ...problems, ...edit.problems }
    })
    return { at: start.at + down, values, problems }
  })
  return { edits, lookups }
}
