import { PaperClipOutlined } from '@ant-design/icons'
import { memo } from 'react'
import { isEmpty, type Row } from '#web/fields/field-renderer.ts'
import { faces } from '#web/fields/field-renderers.ts'
import { RefName } from '#web/fields/reference/ReferenceName.tsx'
import { cellText, type GridColumn } from '#web/grid/grid-column.ts'
import type { Line } from '#web/grid/lines.ts'
import { unitHint } from '#web/grid/units.ts'
import css from '#web/grid/LineGrid.module.css'

type Props = {
  readonly line: Line
  readonly at: number
  readonly columns: readonly GridColumn[]
  /** The row's number. */
  readonly number: number
  readonly top: number
  readonly height: number
  /** Selected columns of this row, or -1. */
  readonly left: number
  readonly right: number
  readonly active: number
}

/** A reference that arrived without its name. */
const isNameless = (column: GridColumn, values: Row): boolean =>
  column.field.as === 'ref' && !isEmpty(values[column.name]) && !values[column.textFrom ?? '']
const hintOf = (column: GridColumn, values: Row) => (column.name === 'unit_inner_sn' ? unitHint(values) : undefined)
/** An empty cell that another value of its line requires. */
function isDue({ field, name, editable }: GridColumn, values: Row): boolean {
  const [asking, ...says] = field.dueWhen ?? []
  return asking !== undefined && editable && isEmpty(values[name]) && says.includes(String(values[asking]))
}
const isNegative = (value: unknown): boolean => typeof value === 'string' && value.startsWith('-')

/** One line. Rendered again only if the line itself, its position or its part of the selection changed. */
export const GridRow = memo(function GridRow({ line, at, number, columns, top, height, left, right, active }: Props) {
  const count = Object.keys(line.problems).length
  return (
    <div
      role="row"
      aria-rowindex={at + 2}
      className={css.row}
      data-row-key={line.key}
      data-wrong={count > 0}
      style={{ transform: `translateY(${top}px)`, height }}
    >
      <div
        role="rowheader"
        className={css.number}
        data-at={at}
        title={count > 0 ? Object.values(line.problems).join('；') : undefined}
      >
        {number}
      </div>
      {columns.map((column, index) => {
        const problem = line.problems[column.name]
        const text = cellText(column, line.values)
        return (
          <div
            key={column.name}
            role="gridcell"
            aria-colindex={index + 2}
            aria-readonly={!column.editable}
            aria-invalid={problem !== undefined || undefined}
            className={css.cell}
            data-at={at}
            data-column={index}
            data-align={faces[column.field.as].align}
            data-sticky={column.sticky || undefined}
            data-fixed={!column.editable || undefined}
            data-selected={(index >= left && index <= right) || undefined}
            data-active={index === active || undefined}
            style={{ width: column.width }}
            data-due={isDue(column, line.values) || undefined}
            title={problem ?? hintOf(column, line.values) ?? (text.length > 12 ? text : undefined)}
          >
            {problem === undefined && isNameless(column, line.values) ? (
              <RefName kind={column.field.target ?? ''} value={String(line.values[column.name])} />
            ) : column.field.as === 'files' ? (
              <FilesText text={text} editable={column.editable} />
            ) : isDue(column, line.values) ? (
              '请填写'
            ) : isNegative(line.values[column.name]) ? (
              <span className="negative">{text}</span>
            ) : (
              text
            )}
          </div>
        )
      })}
    </div>
  )
})

/** Files of a line: their number, or the label for adding some. */
function FilesText({ text, editable }: { text: string; editable: boolean }) {
  if (text === '' && !editable) return null
  return (
    <span className="link" data-files>
      <PaperClipOutlined aria-hidden /> {text === '' ? '上传' : text}
    </span>
  )
}
