import type { AnyDocument } from '#kernel/definition/document.ts'
import type { State } from '#kernel/definition/document-state.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import type { Row } from '#web/fields/field-renderer.ts'

export type HistoryEntry = {
  readonly action: string
  readonly label: string
  readonly from_state?: string | null
  readonly to_state?: string | null
  readonly actor_name?: string
  readonly actor_org_name?: string
  readonly at?: string
  readonly reason?: string | null
  readonly confirmed?: readonly string[] | null
}
export type Related = {
  readonly direction: string
  readonly kind: string
  readonly sn: string
  readonly org_name?: string
  readonly state: string
  readonly role?: string
  readonly title?: string
}

/** A document as the server returns it: header fields and everything belonging to it. */
export type DocumentView = Row & {
  readonly sn: string
  readonly version: number
  readonly state: State
  readonly role?: string
  readonly lines: readonly Row[]
  readonly history?: readonly HistoryEntry[]
  /** The partner's licences the review relied on, with their dates at that time. */
  readonly relied?: readonly {
    readonly licence_type: string
    readonly licence_no: string
    readonly valid_to: string | null
    readonly graced: boolean
  }[]
  readonly related?: readonly Related[]
  /** The actions the user may run on it now. */
  readonly actions?: readonly string[]
}

/** Fields by which a document or line names its source. */
export const sourceFields = ['source_type', 'source_sn', 'source_org_sn'] as const
const lineSourceFields = ['source_sn', 'source_org_sn', 'source_line_no'] as const

const pickFields = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.filter(name => row[name] !== undefined).map(name => [name, row[name]]))
const writable = (fields: AnyDocument['header']): readonly string[] =>
  Object.entries(fields)
    .filter(([, field]) => !field.readOnly)
    .map(([name]) => name)
const given = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).filter(
      ([, value]) =>
        value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  )

/** For an existing line the server keeps omitted fields, so emptied ones are sent as empty. */
const emptied = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === '' ? null : value]))

/**
 * While a document is pending only some of its fields may be corrected; the rest stays as submitted. What belongs to
 * its reviewer is open to nobody else, and only then.
 */
export function mayCorrect(
  { header, lines, lifecycle }: AnyDocument,
  state: unknown,
  reviews = true,
): (name: string) => boolean {
  const waits = state === 'submitted'
  const named = waits ? lifecycle.editableWhenSubmitted : true
  const isOpen = (name: string) => !Array.isArray(named) || named.includes(name)
  const isReviewers = (name: string) => (header[name] ?? lines[name])?.byReviewer === true
  return name => isOpen(name) && (!isReviewers(name) || (waits && reviews))
}

/** Lines are sent in number order, even if the page shows the last one first; new ones follow. */
const inTheirOrder = (definition: AnyDocument, lines: readonly Row[]): readonly Row[] =>
  definition.lineRules.newestFirst === true
    ? lines.toSorted(
        (a, b) =>
          parseInteger(a.line_no ?? Number.MAX_SAFE_INTEGER) - parseInteger(b.line_no ?? Number.MAX_SAFE_INTEGER) || 0,
      )
    : lines

/** The body sent on save: the fields of the definition and the source, without display-only values. */
export function savedForm(definition: AnyDocument, header: Row, lines: readonly Row[], state: unknown = null): Row {
  const open = mayCorrect(definition, state)
  const names = writable(definition.header).filter(open)
  const lineNames = [...[...writable(definition.lines), ...lineSourceFields].filter(open), 'line_no']
  return {
    ...pickFields(header, names),
    ...given(pickFields(header, sourceFields.filter(open))),
    lines: inTheirOrder(definition, lines).map(line =>
      (line.line_no === undefined ? given : emptied)(pickFields(line, lineNames)),
    ),
  }
}
