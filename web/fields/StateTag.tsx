import type { AnyDocument } from '#kernel/definition/document.ts'
import { type State, states } from '#kernel/definition/document-state.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { Tag, type Tone } from '#web/fields/Tag.tsx'

const tones: Readonly<Record<State, Tone>> = {
  draft: 'neutral',
  submitted: 'warning',
  rejected: 'danger',
  reviewed: 'brand',
  partial: 'info',
  completed: 'success',
  stopped: 'neutral',
  cancelled: 'neutral',
  reversed: 'danger',
}

type Stated = Pick<AnyDocument, 'lifecycle'> & Partial<Pick<AnyDocument, 'header'>>
/** The colour of the state field of a document, where its kind has one: 异常 is red. */
export const closerTone = ({ lifecycle, header }: Stated, row: Row | undefined): Tone | undefined =>
  lifecycle.stateField === undefined
    ? undefined
    : header?.[lifecycle.stateField]?.tones?.[String(row?.[lifecycle.stateField])]

/** The state name of this kind of document. */
export const stateName = (definition: Pick<AnyDocument, 'lifecycle'>, state: string): string =>
  definition.lifecycle.stateLabels?.[state as State] ?? states[state as State] ?? state

/** Replaces the definition of a kind that the page does not know: its states have their usual names. */
export const noDefinition: Pick<AnyDocument, 'lifecycle'> = { lifecycle: {} }

type Props = {
  readonly definition: Stated
  readonly state: string
  /** The server's name for this document's state: 待二审. */
  readonly named?: unknown
  /** The document, whose own state field may be more precise than the state. */
  readonly row?: Row
}

export function StateTag({ definition, state, named, row }: Props) {
  const text = typeof named === 'string' && named !== '' ? named : stateName(definition, state)
  return <Tag tone={closerTone(definition, row) ?? tones[state as State] ?? 'neutral'}>{text}</Tag>
}
