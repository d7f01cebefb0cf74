import type { AnyDocument } from '#kernel/definition/document.ts'
import { type State, states } from '#kernel/definition/document-state.ts'
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

/** The state name of this kind of document. */
export const stateName = (definition: Pick<AnyDocument, 'lifecycle'>, state: string): string =>
  definition.lifecycle.stateLabels?.[state as State] ?? states[state as State] ?? state

/** Stands in for the definition of a kind that the page does not know: its states have their usual names. */
export const noDefinition: Pick<AnyDocument, 'lifecycle'> = { lifecycle: {} }

type Props = {
  readonly definition: Pick<AnyDocument, 'lifecycle'>
  readonly state: string
  /** The server's name for this document's state: 待二审. */
  readonly named?: unknown
}

export function StateTag({ definition, state, named }: Props) {
  const text = typeof named === 'string' && named !== '' ? named : stateName(definition, state)
  return <Tag tone={tones[state as State] ?? 'neutral'}>{text}</Tag>
}
