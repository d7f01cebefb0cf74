import { parseInteger } from '#kernel/values/integer.ts'
import { App } from 'antd'
import { type ClipboardEvent, type KeyboardEvent, type MouseEvent, type RefObject, useRef, useState } from 'react'
import type { EditorHandle, Leave } from '#web/grid/CellEditor.tsx'
import { type Choice, chosenEdit } from '#web/grid/choices.ts'
import { readBlock, writeBlock } from '#web/grid/clipboard.ts'
import { cellText, type GridColumn } from '#web/grid/grid-column.ts'
import { type Command, commandOf } from '#web/grid/grid-keys.ts'
import { isBlank, type Lines } from '#web/grid/lines.ts'
import { blockOf, type Cell, clampCell, nextWritable, type Selected, single } from '#web/grid/range.ts'
import { resolveLookups } from '#web/grid/resolve.ts'
import { inUnit } from '#web/grid/units.ts'
import { cleared, filledDown, pasted, type Pasted, writtenCell } from '#web/grid/write-cells.ts'

type Options = {
  readonly lines: Lines
  readonly columns: readonly GridColumn[]
  readonly locked: boolean
  readonly editor: RefObject<EditorHandle | null>
}

/** Applies a choice to the line: the row with its copied fields, and the same goods in another unit. */
const chosenCell = (lines: Lines, head: Cell | null, column: GridColumn, choice: Choice) =>
  inUnit(lines.all()[head?.at ?? 0]?.values ?? {}, chosenEdit(column, choice))

/** The cell an event happened in; a row number means its whole row. */
function cellOf(event: MouseEvent): Cell | null {
  const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-at]') : null
  return cell === null ? null : { at: parseInteger(cell.dataset.at), column: parseInteger(cell.dataset.column ?? -1) }
}

/** Keyboard, mouse and clipboard handling of the grid. */
export function useGridControl({ lines, columns, locked, editor }: Options) {
  const { message } = App.useApp()
  const [selected, setSelected] = useState<Selected | null>(null)
  const dragging = useRef(false)
  /** The cell whose file dialog is open. */
  const [files, setFiles] = useState<Cell | null>(null)
  const writable = columns.map(column => column.editable && !column.passed)
  const head = selected?.head ?? null
  const headColumn = head === null ? null : (columns[head.column] ?? null)

  const select = (next: Selected) => {
    setSelected(next)
    editor.current?.focus()
  }
  const moveTo = (cell: Cell, extend = false) => {
    if (lines.all().length === 0) return
    const target = clampCell(cell, lines.all().length, columns.length)
    select(extend && selected !== null ? { anchor: selected.anchor, head: target } : single(target))
  }
  const goTo = (at: number, field?: string) => {
    const index = columns.findIndex(column => column.name === field)
    moveTo({ at, column: index === -1 ? Math.max(0, writable.indexOf(true)) : index })
  }
  const addRow = () => {
    const last = lines.all().at(-1)
    // No second empty line at the end.
    if (last === undefined || !isBlank(last)) lines.insert(lines.all().length, [{}])
    goTo(lines.all().length - 1)
  }
  const nextRow = () => {
    const below = (selected?.head.at ?? -1) + 1
    if (below < lines.all().length) goTo(below)
    else addRow()
  }
  const goNext = (back: boolean) => {
    if (head === null) return
    const next = nextWritable(head, lines.all().length, writable, back)
    if (next !== null) moveTo(next)
    else if (!back && !locked) addRow()
  }
  const removeRows = () => {
    if (selected === null || locked) return
    const { top, bottom } = blockOf(selected)
    lines.remove(top, bottom - top + 1)
    if (lines.all().length === 0) setSelected(null)
    else moveTo({ at: top, column: selected.head.column })
  }

  function run(command: Command): void {
    const last = { at: lines.all().length - 1, column: columns.length - 1 }
    switch (command.do) {
      case 'move':
        return head === null
          ? undefined
          : moveTo({ at: head.at + command.rows, column: head.column + command.columns }, command.extend)
      case 'edge':
        return head === null
          ? undefined
          : moveTo(
              {
                at: command.to === 'top' ? 0 : command.to === 'bottom' ? last.at : head.at,
                column: command.to === 'first' ? 0 : command.to === 'last' ? last.column : head.column,
              },
              command.extend,
            )
      case 'next':
        return goNext(false)
      case 'previous':
        return goNext(true)
      case 'all':
        return setSelected({ anchor: { at: 0, column: 0 }, head: last })
      case 'edit':
        return headColumn?.field.as === 'files' ? setFiles(head) : editor.current?.open()
    }
    if (locked || selected === null) return
    const block = blockOf(selected)
    switch (command.do) {
      case 'clear':
        return lines.edit(cleared(block, columns))
      case 'fill':
        return lines.edit(filledDown(block, columns, lines.all()))
      case 'undo':
        return lines.undo()
      case 'redo':
        return lines.redo()
      case 'removeRows':
        return removeRows()
      case 'insertRow':
        return lines.insert(block.top, [{}])
    }
  }

  const resolve = async (lookups: Pasted['lookups']) => {
    const missing = await resolveLookups(lines, lookups)
    if (missing > 0) void message.warning(`${missing}项没有找到，已在表中标出`)
  }

  const onPaste = (event: ClipboardEvent) => {
    if (locked || head === null || editor.current?.isOpen()) return
    event.preventDefault()
    const block = pasted(readBlock(event.clipboardData.getData('text/plain')), head, columns)
    lines.edit(block.edits)
    if (block.lookups.length > 0) void resolve(block.lookups)
  }
  const onCopy = (event: ClipboardEvent) => {
    if (selected === null || editor.current?.isOpen()) return
    const { top, bottom, left, right } = blockOf(selected)
    const rows = lines
      .all()
      .slice(top, bottom + 1)
      .map(line => columns.slice(left, right + 1).map(column => cellText(column, line.values)))
    event.clipboardData.setData('text/plain', writeBlock(rows))
    event.preventDefault()
  }
  const write = (edit: ReturnType<typeof writtenCell>) => head !== null && lines.edit([{ at: head.at, ...edit }])
  const onMouseDown = (event: MouseEvent) => {
    const cell = cellOf(event)
    if (cell === null || event.button !== 0) return
    // Otherwise the browser would move the focus from the grid's input to the cell, which cannot have it.
    event.preventDefault()
    editor.current?.settle()
    if (cell.column === -1)
      return select({
        anchor: { at: event.shiftKey && selected ? selected.anchor.at : cell.at, column: 0 },
        head: { at: cell.at, column: columns.length - 1 },
      })
    dragging.current = true
    document.addEventListener('mouseup', () => (dragging.current = false), { once: true })
    moveTo(cell, event.shiftKey)
  }
  return {
    selected,
    goTo,
    addRow,
    nextRow,
    removeRows,
    onPaste,
    onCopy,
    onMouseDown,
    onCut: (event: ClipboardEvent) => {
      onCopy(event)
      run({ do: 'clear' })
    },
    onMouseOver: (event: MouseEvent) => {
      const cell = dragging.current && event.buttons === 1 ? cellOf(event) : null
      if (cell !== null && cell.column >= 0 && selected !== null) setSelected({ anchor: selected.anchor, head: cell })
    },
    onDoubleClick: (event: MouseEvent) => cellOf(event) !== null && run({ do: 'edit' }),
    onClick: (event: MouseEvent) => {
      const cell = event.target instanceof Element && event.target.closest('[data-files]') ? cellOf(event) : null
      if (cell !== null) setFiles(cell)
    },
    files,
    closeFiles: () => {
      setFiles(null)
      editor.current?.focus()
    },
    onText: (text: string) => {
      if (head === null || headColumn === null) return
      // A name was typed and the cell left: look up the matching row.
      if (headColumn.field.as === 'ref' && text.trim() !== '')
        void resolve([{ at: head.at, column: headColumn, text: text.trim() }])
      else write(writtenCell(headColumn, text))
    },
    onChoice: (choice: Choice) => headColumn !== null && write(chosenCell(lines, head, headColumn, choice)),
    onLeave: (leave: Leave) => {
      if (leave === 'next' || leave === 'previous') goNext(leave === 'previous')
      else if (leave !== 'stay' && head !== null)
        moveTo({ at: head.at + (leave === 'up' ? -1 : 1), column: head.column })
    },
    onCommand: (event: KeyboardEvent): boolean => {
      const command = commandOf(event)
      // Tab in an untouched or read-only grid moves on along the page.
      if (command === null || (event.key === 'Tab' && (head === null || locked))) return false
      run(command)
      return true
    },
  }
}
