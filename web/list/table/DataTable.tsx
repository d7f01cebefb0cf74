import { Checkbox } from 'antd'
import { type KeyboardEvent, memo, type MouseEvent, type ReactNode, useMemo, useState } from 'react'
import { useShortcuts } from '#web/engine/shortcuts.ts'
import { faces } from '#web/fields/field-renderers.ts'
import { isEmpty, type Row } from '#web/fields/field-renderer.ts'
import type { RowTone } from '#kernel/definition/entity.ts'
import type { Column, Sort } from '#web/list/table/column.ts'
import { ColumnHead } from '#web/list/table/ColumnHeader.tsx'
import { SELECT_WIDTH } from '#web/list/table/first-columns.ts'
import { SkeletonRows } from '#web/list/table/SkeletonRows.tsx'
import { SummaryRow } from '#web/list/table/SummaryRow.tsx'
import { useEdges } from '#web/list/table/use-edges.ts'
import css from '#web/list/table/DataTable.module.css'

export type Selection = {
  readonly keys: ReadonlySet<string>
  readonly toggle: (row: Row, on: boolean) => void
  readonly toggleAll: (rows: readonly Row[], on: boolean) => void
}

type Props = {
  readonly label: string
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  readonly rowHeight: number
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
  readonly onResize: (name: string, width: number) => void
  readonly onOpen?: (row: Row) => void
  readonly selection?: Selection
  /** Renders a cell instead of its field's renderer. */
  readonly cell?: ((column: Column, row: Row) => ReactNode | undefined) | undefined
  readonly rowActions?: (row: Row) => ReactNode
  readonly actionsWidth?: number
  readonly tone?: (row: Row) => RowTone | undefined
  /** Sums over the whole filter, by column. */
  readonly summary?: Row | undefined
  readonly busy: boolean
  /** Shown in the body if there are no rows. */
  readonly empty: ReactNode
}
export type Placed = Column & { readonly offset: number }

const NO_WIDTHS: Readonly<Record<string, number>> = {}

/** Pinned columns first, each with its offset from the left edge. */
function placed(
  columns: readonly Column[],
  widths: Readonly<Record<string, number>>,
  start: number,
): readonly Placed[] {
  const shown = columns.filter(column => !column.hidden)
  let offset = start
  return [...shown.filter(column => column.pin === 'left'), ...shown.filter(column => column.pin !== 'left')].map(
    column => {
      const width = widths[column.name] ?? column.width
      const here = { ...column, width, offset }
      if (column.pin === 'left') offset += width
      return here
    },
  )
}

/**
 * A list's table: native rows and cells, sticky head, totals and edges. Up and Down move, Enter opens, Space
 * selects.
 */
export function DataTable(props: Props) {
  useShortcuts('列表', [
    { keys: '↑ ↓', what: '上一行、下一行' },
    ...(props.onOpen ? [{ keys: 'Enter', what: '打开这一行' }] : []),
    ...(props.selection ? [{ keys: '空格', what: '勾选这一行' }] : []),
  ])
  const { columns, rows, rowKey, rowHeight, selection, rowActions, actionsWidth = 128, summary, busy, empty } = props
  const [dragging, setDragging] = useState(NO_WIDTHS)
  // Columns are loaded as well: until they are there, the ticks and actions beside them are hidden.
  const waits = columns.length === 0
  const selectable = selection !== undefined
  const shown = useMemo(() => placed(columns, dragging, selectable ? SELECT_WIDTH : 0), [columns, dragging, selectable])
  const total =
    shown.reduce((sum, column) => sum + column.width, 0) +
    (selection ? SELECT_WIDTH : 0) +
    (rowActions ? actionsWidth : 0)
  const { scroll, look } = useEdges()
  const allSelected = rows.length > 0 && selection !== undefined && rows.every(row => selection.keys.has(rowKey(row)))
  const someSelected = !allSelected && selection !== undefined && rows.some(row => selection.keys.has(rowKey(row)))
  return (
    <div ref={scroll} className={css.scroll} data-busy={busy} aria-busy={busy} onScroll={look}>
      <table
        className={css.table}
        style={{ width: `max(100%, ${total}px)`, '--row': `${rowHeight}px` } as Record<string, string>}
        aria-label={props.label}
        aria-rowcount={rows.length + 1}
      >
        <colgroup>
          {selection && !waits && <col style={{ width: SELECT_WIDTH }} />}
          {shown.map(column => (
            <col key={column.name} style={{ width: column.width }} />
          ))}
          {rowActions && !waits && <col style={{ width: actionsWidth }} />}
        </colgroup>
        <thead>
          <tr>
            {selection && !waits && (
              <th scope="col" className={css.select} data-pinned="left" style={{ left: 0 }}>
                <Checkbox
                  aria-label="全选本页"
                  checked={allSelected}
                  indeterminate={someSelected}
                  onChange={event => selection.toggleAll(rows, event.target.checked)}
                />
              </th>
            )}
            {shown.map(column => (
              <ColumnHead
                key={column.name}
                column={column}
                offset={column.offset}
                sort={props.sort}
                onSort={props.onSort}
                align={faces[column.field.as].align}
                onDrag={width => setDragging(widths => ({ ...widths, [column.name]: width }))}
                onDrop={width => {
                  setDragging(NO_WIDTHS)
                  props.onResize(column.name, width)
                }}
              />
            ))}
            {rowActions && !waits && (
              <th scope="col" className={css.actions} data-pinned="right">
                操作
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <BodyRow
              key={rowKey(row)}
              row={row}
              id={rowKey(row)}
              at={at}
              columns={shown}
              selected={selection?.keys.has(rowKey(row)) ?? false}
              selectable={selection !== undefined}
              onSelect={selection?.toggle}
              onOpen={props.onOpen}
              cell={props.cell}
              rowActions={rowActions}
              tone={props.tone?.(row)}
            />
          ))}
          {rows.length === 0 && busy && (
            <SkeletonRows cells={waits ? 0 : shown.length + (selection ? 1 : 0) + (rowActions ? 1 : 0)} />
          )}
        </tbody>
        {summary && rows.length > 0 && (
          <SummaryRow
            columns={shown}
            summary={summary}
            selectable={selection !== undefined}
            hasActions={rowActions !== undefined}
          />
        )}
      </table>
      {rows.length === 0 && !busy && <div className={css.empty}>{empty}</div>}
    </div>
  )
}

type BodyRowProps = {
  readonly row: Row
  readonly id: string
  readonly at: number
  readonly columns: readonly Placed[]
  readonly selected: boolean
  readonly selectable: boolean
  readonly tone: RowTone | undefined
  readonly onSelect: Selection['toggle'] | undefined
  readonly onOpen: Props['onOpen']
  readonly cell: Props['cell']
  readonly rowActions: Props['rowActions']
}

/** A click that selected text, or hit a button, does not open the row. */
const meantTheRow = (event: MouseEvent): boolean =>
  (window.getSelection()?.toString() ?? '') === '' &&
  !(event.target instanceof Element && event.target.closest('a,button,input,label,[role="menuitem"],.ant-dropdown'))

function onRowKey(
  event: KeyboardEvent<HTMLTableRowElement>,
  open: (() => void) | undefined,
  toggle: (() => void) | undefined,
): void {
  if (event.nativeEvent.isComposing || event.target !== event.currentTarget) return
  const next =
    event.key === 'ArrowDown'
      ? event.currentTarget.nextElementSibling
      : event.key === 'ArrowUp'
        ? event.currentTarget.previousElementSibling
        : null
  if (next instanceof HTMLElement) next.focus()
  else if (event.key === 'Enter') open?.()
  else if (event.key === ' ') toggle?.()
  else return
  event.preventDefault()
}

const BodyRow = memo(function BodyRow({
  row,
  id,
  at,
  columns,
  selected,
  selectable,
  tone,
  onSelect,
  onOpen,
  cell,
  rowActions,
}: BodyRowProps) {
  const open = onOpen && (() => onOpen(row))
  return (
    <tr
      data-row-key={id}
      aria-selected={selectable ? selected : undefined}
      data-tone={tone}
      data-opens={onOpen !== undefined}
      tabIndex={at === 0 ? 0 : -1}
      onClick={event => meantTheRow(event) && open?.()}
      onKeyDown={event => onRowKey(event, open, onSelect && (() => onSelect(row, !selected)))}
    >
      {selectable && (
        <td className={css.select} data-pinned="left" style={{ left: 0 }}>
          <Checkbox
            aria-label={`选择${id}`}
            checked={selected}
            onChange={event => onSelect?.(row, event.target.checked)}
          />
        </td>
      )}
      {columns.map(column => {
        const face = faces[column.field.as]
        return (
          <td
            key={column.name}
            data-align={face.align}
            data-label={column.field.label}
            data-name={column.name}
            data-empty={isEmpty(row[column.name]) || undefined}
            data-pinned={column.pin ?? undefined}
            style={column.pin === 'left' ? { left: column.offset } : undefined}
          >
            {cell?.(column, row) ?? (
              <face.Cell field={column.field} name={column.name} value={row[column.name]} row={row} />
            )}
          </td>
        )
      })}
      {rowActions && (
        <td className={css.actions} data-pinned="right">
          {rowActions(row)}
        </td>
      )}
    </tr>
  )
})
