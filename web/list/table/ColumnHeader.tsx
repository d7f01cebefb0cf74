import { CaretDownOutlined, CaretUpOutlined } from '@ant-design/icons'
import { type PointerEvent, useRef } from 'react'
import { Explained, ExplainedControl } from '#web/fields/Explained.tsx'
import type { Column, Sort } from '#web/list/table/column.ts'
import css from '#web/list/table/DataTable.module.css'

const NARROWEST = 56
const STEP = 16

type Props = {
  readonly column: Column
  readonly offset: number
  readonly sort: Sort
  readonly align: 'right' | 'center' | undefined
  readonly onSort: (sort: Sort) => void
  readonly onDrag: (width: number) => void
  readonly onDrop: (width: number) => void
}

/** Cycles through ascending, descending, unsorted. */
const turned = (column: Column, sort: Sort): Sort => {
  if (sort?.name !== column.name) return { name: column.name, descending: false }
  return sort.descending ? null : { name: column.name, descending: true }
}

export function ColumnHead({ column, offset, sort, align, onSort, onDrag, onDrop }: Props) {
  const way = sort?.name === column.name ? (sort.descending ? 'down' : 'up') : null
  return (
    <th
      scope="col"
      data-align={align}
      data-pinned={column.pin ?? undefined}
      style={column.pin === 'left' ? { left: offset } : undefined}
      aria-sort={way === null ? undefined : way === 'up' ? 'ascending' : 'descending'}
    >
      {column.sortable ? (
        <ExplainedControl says={column.says ?? []} of={column.title}>
          <button
            type="button"
            className={css.headButton}
            onClick={() => onSort(turned(column, sort))}
            title={column.says === undefined ? column.title : undefined}
          >
            <span className={css.headText}>{column.title}</span>
            <span className={css.sort} data-way={way ?? 'none'} aria-hidden>
              <CaretUpOutlined />
              <CaretDownOutlined />
            </span>
          </button>
        </ExplainedControl>
      ) : (
        <span className={css.headText} title={column.says === undefined ? column.title : undefined}>
          <Explained says={column.says ?? []}>{column.title}</Explained>
        </span>
      )}
      <Resizer column={column} onDrag={onDrag} onDrop={onDrop} />
    </th>
  )
}

/** Resized by dragging, or by arrow keys while focused. */
function Resizer({ column, onDrag, onDrop }: Pick<Props, 'column' | 'onDrag' | 'onDrop'>) {
  const start = useRef<{ x: number; width: number } | null>(null)
  const widthAt = (event: PointerEvent) =>
    start.current === null ? column.width : Math.max(NARROWEST, start.current.width + event.clientX - start.current.x)
  return (
    // a movable separator is the ARIA role of a resizer
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={`调整${column.title}列宽`}
      aria-valuenow={column.width}
      tabIndex={-1}
      className={css.resizer}
      onPointerDown={event => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { x: event.clientX, width: event.currentTarget.parentElement?.offsetWidth ?? column.width }
      }}
      onPointerMove={event => start.current !== null && onDrag(widthAt(event))}
      onPointerUp={event => {
        if (start.current === null) return
        onDrop(widthAt(event))
        start.current = null
      }}
      onKeyDown={event => {
        if (event.key === 'ArrowLeft') onDrop(Math.max(NARROWEST, column.width - STEP))
        if (event.key === 'ArrowRight') onDrop(column.width + STEP)
      }}
    />
  )
}
