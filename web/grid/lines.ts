import type { Row } from '#web/fields/field-renderer.ts'
import { createListeners } from '#web/engine/listeners.ts'

/** One line being edited. An unchanged line keeps its identity, so only changed ones are rendered again. */
export type Line = {
  readonly key: number
  readonly values: Row
  /** Error messages, by field. */
  readonly problems: Readonly<Record<string, string>>
}
export type Edit = {
  readonly at: number
  readonly values: Row
  readonly problems?: Readonly<Record<string, string | null>>
}

export type Lines = {
  readonly all: () => readonly Line[]
  readonly subscribe: (listener: () => void) => () => void
  /** Changes some lines; edits beyond the end create new ones. One undo step. */
  readonly edit: (edits: readonly Edit[]) => void
  readonly insert: (at: number, rows: readonly Row[]) => void
  readonly remove: (at: number, count: number) => void
  /** Replaces all lines. One undo step. */
  readonly replace: (rows: readonly Row[]) => void
  readonly undo: () => void
  readonly redo: () => void
  /** Starts from the server's version: nothing to undo, nothing unsaved. */
  readonly reset: (rows: readonly Row[]) => void
  /** Marks what was refused, by row; editing the cell clears the mark. Without a field the whole row is marked. */
  readonly mark: (problems: readonly { readonly at: number; readonly field: string; readonly msg: string }[]) => void
  /** True if anything differs from the last reset. */
  readonly isChanged: () => boolean
}

/** Computes the dependent values of a line; `edited` is what was just entered. */
export type Complete = (values: Row, edited: Row) => Row

const UNDO_STEPS = 100
const none = {}

/**
 * The lines of one document. `complete` computes dependent values (amounts from price and quantity). Every change
 * creates a new array, and new objects only for changed lines: 10 000 lines cost no more per key press than ten.
 */
export function createLines(rows: readonly Row[], complete: Complete): Lines {
  let nextKey = 1
  const lineOf = (values: Row): Line => ({ key: nextKey++, values, problems: none })
  let lines: readonly Line[] = rows.map(lineOf)
  let pristine = lines
  let past: readonly (readonly Line[])[] = []
  let future: readonly (readonly Line[])[] = []
  const { subscribe, notify } = createListeners()

  const show = (next: readonly Line[]): void => {
    lines = next
    notify()
  }
  const step = (next: readonly Line[]): void => {
    past = [...past.slice(1 - UNDO_STEPS), lines]
    future = []
    show(next)
  }
  return {
    all: () => lines,
    subscribe,
    edit: edits => {
      const next = [...lines]
      for (const edit of edits) {
        while (next.length <= edit.at) next.push(lineOf({}))
        next[edit.at] = changed(next[edit.at] ?? lineOf({}), edit, complete)
      }
      step(next)
    },
    insert: (at, added) => step(lines.toSpliced(at, 0, ...added.map(values => lineOf(complete(values, values))))),
    remove: (at, count) => step(lines.toSpliced(at, count)),
    replace: rows => step(rows.map(values => lineOf(complete(values, values)))),
    undo: () => {
      const before = past.at(-1)
      if (before === undefined) return
      past = past.slice(0, -1)
      future = [...future, lines]
      show(before)
    },
    redo: () => {
      const after = future.at(-1)
      if (after === undefined) return
      future = future.slice(0, -1)
      past = [...past, lines]
      show(after)
    },
    reset: fresh => {
      past = []
      future = []
      show((pristine = fresh.map(lineOf)))
    },
    mark: problems => show(marked(lines, problems)),
    isChanged: () => lines !== pristine && !sameValues(lines, pristine),
  }
}

function changed(line: Line, edit: Edit, complete: Complete): Line {
  const problems: Record<string, string> = { ...line.problems }
  for (const name of Object.keys(edit.values)) delete problems[name]
  for (const [name, sentence] of Object.entries(edit.problems ?? {})) if (sentence !== null) problems[name] = sentence
  return { key: line.key, values: complete({ ...line.values, ...edit.values }, edit.values), problems }
}

function marked(lines: readonly Line[], problems: Parameters<Lines['mark']>[0]): readonly Line[] {
  return lines.map((line, at) => {
    const own = problems.filter(problem => problem.at === at)
    if (own.length === 0) return Object.keys(line.problems).length === 0 ? line : { ...line, problems: none }
    return { ...line, problems: Object.fromEntries(own.map(problem => [problem.field, problem.msg])) }
  })
}

/** Marks alone are no change; neither is an undo back to the start. */
const sameValues = (lines: readonly Line[], pristine: readonly Line[]): boolean =>
  lines.length === pristine.length && lines.every((line, at) => line.values === pristine[at]?.values)

const saysNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
const blanks = new WeakMap<Line, boolean>()

/** A line without any input yet. Checked for every line whenever the whole document is checked. */
export function isBlank(line: Line): boolean {
  const known = blanks.get(line)
  if (known !== undefined) return known
  const blank = Object.values(line.values).every(saysNothing)
  blanks.set(line, blank)
  return blank
}
