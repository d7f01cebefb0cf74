import type { AnyEntity } from '#kernel/definition/entity.ts'
import { CallButtons } from '#web/list/actions/CallButtons.tsx'
import { RecordPrints } from '#web/records/RecordPrints.tsx'

type Props = {
  readonly definition: AnyEntity
  readonly may: (name: string) => boolean
  /** Keys of the ticked rows. */
  readonly chosen: readonly string[]
  readonly onDone: () => void
}

/** Actions on a list of records, with or without ticked rows, and what ticked rows print. */
export function RecordCalls({ definition, may, chosen, onDone }: Props) {
  const { kind, calls } = definition
  return (
    <>
      <CallButtons of={kind} path={`/v1/business/${kind}`} calls={calls} may={may} chosen={chosen} onDone={onDone} />
      {may('print') && <RecordPrints definition={definition} chosen={chosen} />}
    </>
  )
}

/** True if rows of a list can be ticked: there are actions or prints for them. */
export const ticksRows = (definition: AnyEntity, may: (name: string) => boolean): boolean =>
  (definition.prints !== undefined && may('print')) ||
  Object.entries(definition.calls ?? {}).some(([name, { rows }]) => rows !== undefined && may(name))
