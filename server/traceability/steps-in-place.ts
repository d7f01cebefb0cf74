import type { Step } from '#kernel/ledger/posting.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import { type End, stateOf, type TraceRow, type UnitState, writeTrace } from '#server/ledger/trace.ts'

type Piece = { readonly lot_id: string; readonly unit_id: string }

/** The record that the trace names in place of a document, by its kind and number. */
export type Recorded = { readonly kind: string; readonly sn: string }

async function stateNow(tx: Tx, piece: Piece): Promise<UnitState & { readonly quantity: Decimal }> {
  const [row] = await tx<(UnitState & { quantity: Decimal })[]>`
    select status, holder_org_id, warehouse_id, store, place, owner_id, under, use_org_id, use_id, quantity from unit
     where lot_id = ${piece.lot_id} and id = ${piece.unit_id}`
  if (!row) throw new Error('a step of a piece that does not exist')
  return row
}

/** The place of a piece: its store, or the place where it is worked with once it is used up there. */
const endAt = (state: UnitState, place: string | null): End =>
  state.status === 'in_stock'
    ? { org: state.holder_org_id, place: state.store, warehouse: state.warehouse_id }
    : { org: null, place, warehouse: null }

/** A step that moves nothing: what was done to a piece where it is, also after it left the stock. */
export async function recordStep(
  tx: Tx,
  session: Session,
  recorded: Recorded,
  piece: Piece,
  step: Step,
  place: string | null = null,
): Promise<void> {
  const { quantity, ...now } = await stateNow(tx, piece)
  const state = stateOf(now)
  const row: TraceRow = {
    line_no: 1,
    step,
    lot_id: piece.lot_id,
    unit_id: piece.unit_id,
    quantity,
    from: endAt(state, null),
    to: endAt(state, place),
    before: state,
    after: state,
  }
  await writeTrace(tx, { org: session.org.id, ...recorded, actor: session.userName }, [row])
}

/** Undoes the latest step of that kind that was not undone, where there is one. */
export async function takeBackStep(
  tx: Tx,
  session: Session,
  recorded: Recorded,
  piece: Piece,
  step: Step,
): Promise<void> {
  const [event] = await tx<{ seq: string }[]>`
    select e.seq from trace_event e
     where e.lot_id = ${piece.lot_id} and e.unit_id = ${piece.unit_id} and e.step = ${step}
       and e.document_kind = ${recorded.kind} and e.org_id = ${session.org.id}
       and not exists (select 1 from trace_event x where x.lot_id = e.lot_id and x.unit_id = e.unit_id
         and x.undo_of = e.seq)
     order by e.seq desc limit 1`
  if (!event) return
  const { quantity, ...now } = await stateNow(tx, piece)
  const state = stateOf(now)
  const end = endAt(state, null)
  const row = { line_no: 1, step, ...piece, quantity, from: end, to: end, before: state, after: state }
  await writeTrace(
    tx,
    { org: session.org.id, ...recorded, actor: session.userName },
    [{ ...row, undo_of: event.seq } as TraceRow],
    true,
  )
}
