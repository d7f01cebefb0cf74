import type { Decimal } from '#kernel/values/decimal.ts'
import { steps } from '#kernel/ledger/posting.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Tx } from '#server/database/transaction.ts'
import { type Cause, stateOf, type UnitState, writeTrace } from '#server/ledger/trace.ts'

type EventRow = {
  lot_id: string
  unit_id: string
  seq: string
  step: string
  line_no: number
  quantity: Decimal
  before: UnitState | null
  from_org_id: string | null
  from_place: string | null
  from_warehouse_id: string | null
  to_org_id: string | null
  to_place: string | null
  to_warehouse_id: string | null
}

/**
 * Takes back the events of a document: each is followed by `undo` with its ends exchanged, and units return to their
 * earlier state. Refused when a unit has a later event in effect. `lines` limits it to some lines, `units` to some
 * units; `of` is the document whose events are taken back, where another takes them back.
 */
export async function undoTrace(
  tx: Tx,
  cause: Cause,
  lots: readonly string[],
  only: { lines?: readonly number[]; units?: ReadonlySet<string>; lotQuantity?: ReadonlyMap<number, Decimal> } = {},
  of: { readonly sn: string; readonly document?: string } = cause,
): Promise<void> {
  const { sn, document = null } = of
  if (lots.length === 0) return
  const events = await tx<EventRow[]>`
    select e.lot_id, e.unit_id, e.seq, e.step, e.line_no, e.quantity, e.before, e.from_org_id, e.from_place,
      e.from_warehouse_id, e.to_org_id, e.to_place, e.to_warehouse_id
      from trace_event e
     where e.lot_id = any(${lots as string[]}::bigint[]) and e.document_sn = ${sn} and e.org_id = ${cause.org}
       and (e.document_id is null or ${document}::bigint is null or e.document_id = ${document})
       and e.step <> 'undo'
       and (e.unit_id = 0 and ${only.lotQuantity !== undefined}
         or not exists (select 1 from trace_event x where x.lot_id = e.lot_id and x.unit_id = e.unit_id
         and x.undo_of = e.seq))
       ${only.lines ? tx`and e.line_no = any(${only.lines as number[]}::int[])` : tx``}
     order by e.seq desc`
  const taken = events.filter(
    event => event.unit_id === '0' || !only.units || only.units.has(`${event.lot_id}/${event.unit_id}`),
  )
  const units = taken.filter(event => event.unit_id !== '0')
  const moved = units.map(unit => ({ lot_id: unit.lot_id, unit_id: unit.unit_id, seq: unit.seq }))
  const later =
    units.length === 0
      ? []
      : await tx<{ lot_id: string; unit_id: string; document_sn: string }[]>`
    select e.lot_id, e.unit_id, e.document_sn from trace_event e
      join jsonb_to_recordset(${tx.json(moved)})
        as k(lot_id bigint, unit_id bigint, seq bigint)
        on k.lot_id = e.lot_id and k.unit_id = e.unit_id and e.seq > k.seq
     where e.lot_id = any(${lots as string[]}::bigint[]) and e.step <> 'undo'
       -- The same number at another organisation is its copy of this document, which is taken back with it.
       and (e.document_sn <> ${sn} or e.org_id = ${cause.org} and e.document_id <> ${document})
       and not exists (select 1 from trace_event x where x.lot_id = e.lot_id and x.unit_id = e.unit_id
         and x.undo_of = e.seq) limit 1`
  if (later[0])
    throw new BusinessError('blocked', `该单据的院内码已有后续业务（${later[0].document_sn}），不能${steps.undo}`)
  const current = await tx<(UnitState & { lot_id: string; unit_id: string })[]>`
    select lot_id, id as unit_id, status, holder_org_id, warehouse_id, store, place, owner_id, under, use_org_id,
      use_id from unit
     where lot_id = any(${lots as string[]}::bigint[]) and id = any(${units.map(unit => unit.unit_id)}::bigint[])`
  const now = new Map(current.map(row => [`${row.lot_id}/${row.unit_id}`, row]))
  const rows = taken.map(event => ({
    line_no: event.line_no,
    step: event.step,
    lot_id: event.lot_id,
    unit_id: event.unit_id,
    quantity: event.unit_id === '0' ? (only.lotQuantity?.get(event.line_no) ?? event.quantity) : event.quantity,
    undo_of: event.seq,
    from: { org: event.to_org_id, place: event.to_place, warehouse: event.to_warehouse_id },
    // A piece that was named in our own store has no place without its name.
    to:
      event.before?.status === 'void' && event.from_warehouse_id !== null
        ? { org: null, place: null, warehouse: null }
        : { org: event.from_org_id, place: event.from_place, warehouse: event.from_warehouse_id },
    before: event.unit_id === '0' ? null : stateOf(now.get(`${event.lot_id}/${event.unit_id}`)!),
    after: event.before,
  }))
  await writeTrace(tx, cause, rows, true)
}
