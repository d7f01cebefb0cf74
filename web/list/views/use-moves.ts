import { useState } from 'react'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { ScreenView } from '#kernel/definition/screen.ts'
import { refusedByKnown } from '#kernel/rules/partial-guards.ts'
import { isMeantFor } from '#kernel/rules/action-availability.ts'
import type { State } from '#kernel/definition/document-state.ts'
import type { Day } from '#kernel/values/date.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { useAct } from '#web/engine/actions/use-action.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { carried, dayOfRow, onDay } from '#web/list/views/week.ts'

/** The place of a card: its lane and its day. */
export type Spot = { readonly lane: string; readonly day: Day }
export type Card = { readonly row: Row; readonly spot: Spot }
type Moving = Spot & { readonly sn: string; readonly from: string; readonly among: readonly Row[] }

const mine = (row: Row): boolean => row.role !== 'counterparty'
const isDraft = (row: Row): boolean => ['draft', 'rejected'].includes(String(row.state))

/**
 * Moves cards: into another lane by the view's action, to another day by editing a draft. The card is shown there at
 * once; if the server refuses, it goes back, and the server's sentence is shown.
 */
export function useMoves(
  definition: AnyDocument,
  view: ScreenView,
  rows: readonly Row[],
  may: (action: string) => boolean,
) {
  const { act, actAgreed } = useAct(definition)
  const [moved, setMoving] = useState<Moving | null>(null)
  // Once the rows are read again, they have the new place of the card.
  const moving = moved?.among === rows ? moved : null

  /** True if the row allows an action now, as far as the list knows. */
  const isOffered = (name: string, row: Row): boolean => {
    const spec = definition.actions[name]
    return (
      spec !== undefined &&
      may(name) &&
      spec.from.includes(row.state as State) &&
      (spec.by === 'counterparty') !== mine(row) &&
      isMeantFor(spec, row) &&
      refusedByKnown(spec.guards ?? [], row, ['lines', ...(spec.inputs ?? [])]) === null
    )
  }
  /** The action by which a row may change its lane now. */
  const actionFor = (row: Row): string | undefined => view.lanes?.moves.find(name => isOffered(name, row))
  /** True if a row may be moved to another day: a draft is edited, one in force by the view's action. */
  const mayReschedule = (row: Row): boolean => {
    if (view.reschedules !== true || !mine(row)) return false
    if (isDraft(row)) return may('edit')
    return view.reschedulesBy !== undefined && isOffered(view.reschedulesBy.action, row)
  }

  /** Moves a row to another day; the action on one in force opens its dialog first. */
  function reschedule({ row, spot }: Card, doc: Parameters<typeof act>[1], day: Day) {
    const at = onDay(row[view.at], spot.day, day)
    return isDraft(row)
      ? actAgreed('edit', doc, { [view.at]: at }, `改到${day}`)
      : act(view.reschedulesBy!.action, doc, { [view.reschedulesBy!.input]: at })
  }

  /** True if a card may be moved there: to another lane or another day, as far as the rules allow either. */
  const accepts = ({ row, spot }: Card, to: Spot): boolean => {
    if (spot.lane !== to.lane) return spot.day === to.day && to.lane !== '' && actionFor(row) !== undefined
    return spot.day !== to.day && mayReschedule(row)
  }
  const isMovable = (row: Row): boolean => actionFor(row) !== undefined || mayReschedule(row)

  async function move({ row, spot }: Card, to: Spot): Promise<void> {
    const sn = String(row.sn)
    const doc = {
      sn,
      version: parseInteger(row.version),
      ...(mine(row) ? {} : { source_org_sn: String(row.org_sn) }),
    }
    setMoving({ ...to, sn, from: spot.lane, among: rows })
    const outcome =
      spot.lane === to.lane
        ? await reschedule({ row, spot }, doc, to.day)
        : await actAgreed(actionFor(row)!, doc, { [view.lanes!.by]: carried(view, row, spot.lane, to.lane) })
    if (!outcome.done) setMoving(null)
  }

  /** The place at which a card is shown: while it is being saved, the one where it was dropped. */
  const placed = (row: Row, lane: string): Spot | null => {
    const day = dayOfRow(view, row)
    if (day === null) return null
    return moving?.sn === String(row.sn) && moving.from === lane ? moving : { lane, day }
  }
  return { accepts, isMovable, move, placed, isMoving: (row: Row) => moving?.sn === String(row.sn) }
}
