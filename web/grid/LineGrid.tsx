import { parseInteger } from '#kernel/values/integer.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type ReactNode,
  type Ref,
  useDeferredValue,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { CellEditor, type EditorHandle } from '#web/grid/CellEditor.tsx'
import { FilesDialog } from '#web/grid/FilesDialog.tsx'
import type { GridColumn } from '#web/grid/grid-column.ts'
import { GridFoot, GridHead } from '#web/grid/GridEdges.tsx'
import { GridRow } from '#web/grid/GridRow.tsx'
import type { Lines } from '#web/grid/lines.ts'
import { blockOf, type Cell } from '#web/grid/range.ts'
import { createTotals } from '#web/grid/totals.ts'
import { useShortcuts } from '#web/engine/shortcuts.ts'
import { useGridControl } from '#web/grid/use-grid-control.ts'
import css from '#web/grid/LineGrid.module.css'

const readingKeys = [{ keys: 'Ctrl C', what: '复制，可粘贴到 Excel' }]
/** Keys of the cell; 下一行 is the page's own. */
const writingKeys = [
  { keys: 'Enter Tab', what: '下一格，末格新增一行' },
  { keys: 'Shift Enter', what: '上一格' },
  { keys: 'F2', what: '修改格内内容（或双击）' },
  { keys: 'Alt ↓', what: '打开选择列表' },
  { keys: 'Ctrl D', what: '向下填充' },
  { keys: 'Ctrl V', what: '粘贴，可来自 Excel' },
  { keys: 'Ctrl Z Y', what: '撤销、重做' },
  { keys: 'Ctrl I -', what: '插入行、删除行' },
  { keys: 'Delete', what: '清空' },
]

const ROW = 34
const HEAD = 35
const NUMBER_WIDTH = 46

export type GridHandle = {
  /** Scrolls to a cell and makes it the active one. */
  readonly goTo: (at: number, field?: string) => void
  readonly removeSelected: () => void
  readonly addRow: () => void
  /** The first writable cell of the row below the active one; a new row after the last. */
  readonly nextRow: () => void
}
type Props = {
  readonly lines: Lines
  readonly columns: readonly GridColumn[]
  readonly locked: boolean
  readonly label: string
  readonly handle?: Ref<GridHandle>
  readonly blank: ReactNode
  /** Rows show the numbers of their lines, in whatever order they are listed. */
  readonly numbered?: boolean
}

/** A spreadsheet over the lines of one document: one live input, virtual rows, 10 000 lines as fast as ten. */
export function LineGrid({ lines, columns, locked, label, handle, blank, numbered = false }: Props) {
  const all = useSyncExternalStore(lines.subscribe, lines.all)
  const scroll = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorHandle>(null)
  // oxlint-disable-next-line react/incompatible-library -- rows are memoised by hand; no compiler runs over this file
  const virtual = useVirtualizer({
    count: all.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW,
    overscan: 10,
    paddingStart: 0,
  })
  const offsets = useMemo(
    () =>
      columns.map((_, index) => NUMBER_WIDTH + columns.slice(0, index).reduce((sum, column) => sum + column.width, 0)),
    [columns],
  )
  const control = useGridControl({ lines, columns, locked, editor })
  const { selected } = control
  useShortcuts('明细', locked ? readingKeys : [...readingKeys, ...writingKeys])
  const head = selected?.head ?? null
  const block = selected === null ? null : blockOf(selected)
  // Totals wait until the changed cell is painted.
  const calm = useDeferredValue(all)
  const [sumUp] = useState(createTotals)
  const totals = useMemo(() => sumUp(calm, columns), [sumUp, calm, columns])
  const hasSums = columns.some(column => column.summed)
  useImperativeHandle(handle, () => ({
    goTo: control.goTo,
    removeSelected: control.removeRows,
    addRow: control.addRow,
    nextRow: control.nextRow,
  }))

  const column = head === null ? null : (columns[head.column] ?? null)
  const placeEditor = () => {
    const box = editor.current?.element()
    if (!box || head === null || column === null) return
    const left = column.sticky ? (scroll.current?.scrollLeft ?? 0) + NUMBER_WIDTH : (offsets[head.column] ?? 0)
    box.style.transform = `translate(${left}px, ${HEAD + head.at * ROW}px)`
    box.style.width = `${column.width}px`
    box.style.height = `${ROW}px`
  }
  useLayoutEffect(() => {
    if (head !== null) reveal(scroll.current, head.at, columns[head.column], offsets[head.column] ?? 0)
  }, [head, columns, offsets])
  useLayoutEffect(placeEditor)
  const width = NUMBER_WIDTH + columns.reduce((sum, each) => sum + each.width, 0)
  return (
    <div className={css.grid} data-locked={locked}>
      <div
        ref={scroll}
        className={css.scroll}
        onScroll={placeEditor}
        onMouseDown={control.onMouseDown}
        onMouseOver={control.onMouseOver}
        onClick={control.onClick}
        onDoubleClick={control.onDoubleClick}
        onCopy={control.onCopy}
        onCut={control.onCut}
        onPaste={control.onPaste}
      >
        {/* 10 000 virtual rows cannot be a table; the roles say that it is one. */}
        <div
          role="grid"
          className={css.sheet}
          aria-label={label}
          aria-rowcount={all.length + 1}
          aria-colcount={columns.length + 1}
          aria-multiselectable
        >
          <GridHead columns={columns} width={width} locked={locked} />
          <div role="rowgroup" className={css.body} style={{ height: virtual.getTotalSize(), width }}>
            {virtual.getVirtualItems().map(({ index, start }) => {
              const line = all[index]
              const inBlock = block !== null && index >= block.top && index <= block.bottom
              return line === undefined ? null : (
                <GridRow
                  key={line.key}
                  line={line}
                  at={index}
                  number={numbered ? parseInteger(line.values.line_no ?? index + 1) : index + 1}
                  columns={columns}
                  top={start}
                  height={ROW}
                  left={inBlock ? block.left : -1}
                  right={inBlock ? block.right : -1}
                  active={head?.at === index ? head.column : -1}
                />
              )
            })}
          </div>
          {hasSums && all.length > 0 && <GridFoot columns={columns} width={width} count={all.length} totals={totals} />}
        </div>
        <CellEditor
          handle={editor}
          column={column}
          values={(head && all[head.at]?.values) ?? {}}
          editable={!locked && column?.editable === true && column.field.as !== 'files'}
          label={column === null ? label : `第${(head?.at ?? 0) + 1}行${column.title}`}
          onText={control.onText}
          onChoice={control.onChoice}
          onLeave={control.onLeave}
          onCommand={control.onCommand}
        />
        {all.length === 0 && <div className={css.blank}>{blank}</div>}
      </div>
      <OpenFiles cell={control.files} columns={columns} lines={lines} locked={locked} onClose={control.closeFiles} />
    </div>
  )
}

type FilesProps = Pick<Props, 'lines' | 'columns' | 'locked'> & {
  readonly cell: Cell | null
  readonly onClose: () => void
}

/** The file dialog of the cell being viewed, if any. */
function OpenFiles({ cell, columns, lines, locked, onClose }: FilesProps) {
  const column = cell === null ? undefined : columns[cell.column]
  const line = cell === null ? undefined : lines.all()[cell.at]
  if (cell === null || column === undefined || line === undefined) return null
  return (
    <FilesDialog
      column={column}
      at={cell.at}
      values={line.values}
      editable={!locked && column.editable}
      onChange={value => lines.edit([{ at: cell.at, values: { [column.name]: value } }])}
      onClose={onClose}
    />
  )
}

/** Scrolls just enough: below the head, above the foot, beside the sticky columns. */
function reveal(box: HTMLDivElement | null, at: number, column: GridColumn | undefined, offset: number): void {
  if (box === null) return
  const [top, bottom] = [at * ROW, at * ROW + ROW]
  const room = box.clientHeight - HEAD - ROW
  if (top < box.scrollTop) box.scrollTop = top
  else if (bottom > box.scrollTop + room) box.scrollTop = bottom - room
  if (column === undefined || column.sticky) return
  const edge = NUMBER_WIDTH + 220
  if (offset < box.scrollLeft + edge) box.scrollLeft = Math.max(0, offset - edge)
  else if (offset + column.width > box.scrollLeft + box.clientWidth)
    box.scrollLeft = offset + column.width - box.clientWidth
}
