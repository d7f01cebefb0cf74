import {
  type ChangeEvent,
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import type { Row } from '#web/fields/field-renderer.ts'
import { optionOf } from '#web/fields/reference/reference-option.tsx'
import { type Choice, useChoices } from '#web/grid/choices.ts'
import { editText, type GridColumn, isChoice } from '#web/grid/grid-column.ts'
import css from '#web/grid/LineGrid.module.css'

export type EditorHandle = {
  readonly focus: () => void
  /** Opens the cell for editing with its current value. */
  readonly open: () => void
  /** Commits what was typed, if anything. */
  readonly settle: () => void
  readonly isOpen: () => boolean
  readonly element: () => HTMLElement | null
}
export type Leave = 'next' | 'previous' | 'up' | 'down' | 'stay'

type Props = {
  readonly handle: Ref<EditorHandle>
  readonly column: GridColumn | null
  readonly values: Row
  readonly editable: boolean
  readonly label: string
  readonly onText: (text: string) => void
  readonly onChoice: (choice: Choice) => void
  readonly onLeave: (leave: Leave) => void
  /** Handles keys while no cell is being edited; true if handled. */
  readonly onCommand: (event: KeyboardEvent) => boolean
}

/**
 * The grid's single input. It always has the focus and is over the active cell, invisible until something is typed:
 * so an input method can start composing at once, and a key press costs one small render regardless of the number of
 * lines.
 */
export function CellEditor({ handle, column, values, editable, label, onText, onChoice, onLeave, onCommand }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLDivElement>(null)
  /** Null: closed. `typed` filters the choices; opening an existing value filters nothing. */
  const [draft, setDraft] = useState<{ readonly text: string; readonly typed: string } | null>(null)
  const [at, setAt] = useState(0)
  /** Enter was pressed before the list loaded: the choice is made when it arrives. */
  const [awaits, setAwaits] = useState<Leave | null>(null)
  const chooses = column !== null && isChoice(column.field)
  const { choices, busy } = useChoices(draft !== null && chooses ? column : null, values, draft?.typed ?? '')

  const close = () => {
    setDraft(null)
    setAt(0)
    setAwaits(null)
    if (input.current) input.current.value = ''
  }
  const settle = () => {
    if (draft === null || column === null) return
    const choice = choices[at]
    if (!chooses) onText(draft.text)
    else if (draft.text.trim() === '') onText('')
    else if (draft.typed !== '' && choice !== undefined && !busy) onChoice(choice)
    else if (draft.typed !== '') onText(draft.text)
    close()
  }
  const open = () => {
    if (column === null || !editable) return
    setDraft({ text: editText(column, values), typed: '' })
    setAt(0)
  }
  useImperativeHandle(handle, () => ({
    focus: () => input.current?.focus({ preventScroll: true }),
    open,
    settle,
    isOpen: () => draft !== null,
    element: () => box.current,
  }))
  const waited = useEffectEvent((leave: Leave) => {
    settle()
    onLeave(leave)
  })
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- the list arrives from the server, outside React's state
    if (awaits !== null && !busy) waited(awaits)
  }, [awaits, busy])
  const wasOpen = useRef(false)
  useEffect(() => {
    // Opened on an existing value: all of it is selected, to be replaced or edited.
    if (draft !== null && !wasOpen.current && draft.typed === '') input.current?.select()
    wasOpen.current = draft !== null
  }, [draft])

  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    const text = event.target.value
    if (draft === null && (text === '' || !editable)) {
      event.target.value = ''
      return
    }
    setDraft({ text, typed: text })
    setAt(0)
    setAwaits(null)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    if (draft === null) {
      if (event.altKey && event.key === 'ArrowDown') open()
      else if (!onCommand(event)) return
      event.preventDefault()
      return
    }
    const leave = leaveOf(event, chooses)
    if (event.key === 'Escape') close()
    else if (chooses && (event.key === 'ArrowDown' || event.key === 'ArrowUp'))
      setAt((at + (event.key === 'ArrowDown' ? 1 : choices.length - 1)) % Math.max(1, choices.length))
    else if (chooses && leave !== null && draft.typed === '' && at > 0 && choices[at]) {
      onChoice(choices[at])
      close()
      onLeave(leave)
    } else if (leave !== null && chooses && busy && draft.typed.trim() !== '') setAwaits(leave)
    else if (leave !== null) {
      settle()
      onLeave(leave)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      ref={box}
      className={css.editor}
      data-open={draft !== null}
      data-align={
        column !== null && !chooses && /quantity|price|amount|count|rate/i.test(column.field.as) ? 'right' : undefined
      }
    >
      <input
        ref={input}
        className={css.input}
        aria-label={label}
        value={draft?.text ?? ''}
        onChange={onChange}
        onKeyDown={onKeyDown}
        onBlur={settle}
        onCompositionStart={() => draft === null && editable && setDraft({ text: '', typed: '' })}
        readOnly={!editable}
        autoComplete="off"
        spellCheck={false}
        aria-expanded={chooses ? draft !== null : undefined}
        aria-controls={chooses && draft !== null ? 'cell-choices' : undefined}
        role={chooses ? 'combobox' : undefined}
      />
      {draft !== null && chooses && (
        <ChoiceList
          cell={box}
          kind={column.field.target ?? ''}
          choices={choices}
          at={at}
          busy={busy}
          typed={draft.typed}
          onHover={setAt}
          onChoose={choice => {
            onChoice(choice)
            close()
            onLeave('next')
          }}
        />
      )}
    </div>
  )
}

function leaveOf(event: KeyboardEvent, chooses: boolean): Leave | null {
  if (event.key === 'Enter' || event.key === 'Tab') return event.shiftKey ? 'previous' : 'next'
  if (chooses) return null
  if (event.key === 'ArrowUp') return 'up'
  return event.key === 'ArrowDown' ? 'down' : null
}

/** Space an open list needs below its cell. */
const ROOM = 330

type ListProps = {
  cell: RefObject<HTMLElement | null>
  kind: string
  choices: readonly Choice[]
  at: number
  busy: boolean
  typed: string
  onHover: (at: number) => void
  onChoose: (choice: Choice) => void
}

function ChoiceList({ cell, kind, choices, at, busy, typed, onHover, onChoose }: ListProps) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at])
  useLayoutEffect(() => {
    const place = cell.current?.getBoundingClientRect()
    if (!place || !list.current) return
    const above = place.bottom + ROOM > window.innerHeight && place.top > ROOM
    Object.assign(list.current.style, {
      left: `${place.left}px`,
      minWidth: `${place.width}px`,
      ...(above ? { bottom: `${window.innerHeight - place.top + 2}px` } : { top: `${place.bottom + 2}px` }),
    })
  }, [cell])
  // Rendered on the body, because the grid's scrolling would clip it.
  return createPortal(
    <ul
      ref={list}
      id="cell-choices"
      onMouseDown={event => event.preventDefault()}
      className={css.choices}
      role="listbox"
      data-rich={kind !== ''}
    >
      {choices.map((choice, index) => (
        // keys are handled by the input that owns the list
        <li
          key={`${choice.value}`}
          role="option"
          aria-selected={index === at}
          className={css.choice}
          onMouseEnter={() => onHover(index)}
          onMouseDown={event => event.preventDefault()}
          onClick={() => onChoose(choice)}
        >
          {choice.row === null ? choice.label : optionOf(kind, choice.row, choice.label)}
        </li>
      ))}
      {choices.length === 0 && (
        <li className={css.none}>{busy ? '查找中…' : typed === '' ? '没有可选项' : `没有符合“${typed}”的内容`}</li>
      )}
    </ul>,
    document.body,
  )
}
