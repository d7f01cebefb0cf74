import type { Decimal } from '#kernel/values/decimal.ts'
import type { Move } from '#kernel/ledger/posting.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { VirtualLocations } from '#server/documents/posting/locations.ts'
import type { StoredDocument, StoredLine } from '#server/documents/repository/document.ts'
import { endOf, isAtSource, nowhere, stateAt, serialError } from '#server/documents/posting/trace.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import { stateOf, type TraceRow, unborn, serialsByCode, writeTrace } from '#server/ledger/trace.ts'

type Named = { readonly move: Move; readonly line: StoredLine; readonly code: string }

/**
 * The same pieces under their correct lot, with all their codes; each keeps its former identity. Returns their
 * identities in order.
 */
async function reborn(
  tx: Tx,
  old: readonly { lot_id: string; unit_id: string; specification_id: string; quantity: Decimal; to_lot: string }[],
): Promise<{ lot_id: string; unit_id: string }[]> {
  const given = await tx<{ id: string }[]>`
    select nextval('unit_id_seq')::text as id from generate_series(1, ${old.length}::int)`
  const rows = old.map((unit, at) => ({ ...unit, to_unit: given[at]!.id }))
  const json = tx.json(rows)
  const set = tx`as k(lot_id bigint, unit_id bigint, specification_id bigint, to_lot bigint, to_unit bigint,
    quantity numeric)`
  await tx`
    insert into unit (lot_id, id, specification_id, status, former_lot_id, former_unit_id, quantity)
    select k.to_lot, k.to_unit, k.specification_id, 'void', k.lot_id, k.unit_id, k.quantity
      from jsonb_to_recordset(${json}) ${set}
    returning id`
  await tx`
    update unit_code c set lot_id = k.to_lot, unit_id = k.to_unit from jsonb_to_recordset(${json}) ${set}
     where c.lot_id = k.lot_id and c.unit_id = k.unit_id`
  return rows.map(row => ({ lot_id: row.to_lot, unit_id: row.to_unit }))
}

/** Events of pieces: the wrong lot's piece ends, the correct lot's starts at the same place, under the same codes. */
async function traceNamed(
  tx: Tx,
  session: Session,
  doc: StoredDocument,
  named: readonly Named[],
  places: VirtualLocations,
  write: (rows: TraceRow[]) => Promise<void>,
): Promise<void> {
  const known = await serialsByCode(
    tx,
    session.org.id,
    named.map(item => item.code),
  )
  const units = named.map(({ move, line, code }) => {
    const unit = known.get(code)
    if (unit && unit.lot_id === line.lot_id && isAtSource(unit, move, session)) return unit
    const msg = unit ? serialError(unit, code, session) : `院内码${code}不存在，请核对后重新扫描`
    throw new BusinessError('unitNotHere', msg, [{ line: line.line_no, field: 'unit_codes', msg }])
  })
  const about = (at: number) => ({
    line_no: named[at]!.line.line_no,
    step: named[at]!.move.step,
    quantity: units[at]!.quantity,
  })
  await write(
    units.map((unit, at) => ({
      ...about(at),
      lot_id: unit.lot_id,
      unit_id: unit.unit_id,
      from: endOf(named[at]!.move.from, named[at]!.move, session, places, false),
      to: nowhere,
      before: stateOf(unit),
      after: unborn,
    })),
  )
  const next = await reborn(
    tx,
    units.map((unit, at) => ({ ...unit, to_lot: named[at]!.move.toLot! })),
  )
  await write(
    units.map((unit, at) => ({
      ...about(at),
      ...next[at]!,
      from: nowhere,
      to: endOf(named[at]!.move.to, named[at]!.move, session, places, true),
      before: unborn,
      after: stateAt(named[at]!.move.to, named[at]!.move.step, session, places, unit.owner_id ?? session.org.id, doc),
    })),
  )
}

/**
 * Writes the events of goods whose lot was wrong (moves with `toLot`): the old identity ends and continues under the
 * correct lot.
 */
export async function traceLotChanges(
  tx: Tx,
  session: Session,
  doc: StoredDocument,
  moves: readonly Move[],
  places: VirtualLocations,
): Promise<void> {
  if (moves.length === 0) return
  const cause = { org: session.org.id, kind: doc.kind, sn: doc.sn, document: doc.id, actor: session.userName }
  const write = (rows: TraceRow[]) => writeTrace(tx, cause, rows)
  const lines = new Map(doc.lines.map(line => [line.line_no, line]))
  const named: Named[] = []
  const plain: TraceRow[] = []
  for (const move of moves) {
    const line = lines.get(move.line_no)!
    const codes = move.codes ?? line.unit_codes
    if (codes.length > 0) named.push(...codes.map(code => ({ move, line, code })))
    else {
      const row = {
        line_no: line.line_no,
        step: move.step,
        unit_id: '0',
        quantity: move.quantity,
        before: null,
        after: null,
      }
      plain.push(
        { ...row, lot_id: line.lot_id!, from: endOf(move.from, move, session, places, false), to: nowhere },
        { ...row, lot_id: move.toLot!, from: nowhere, to: endOf(move.to, move, session, places, true) },
      )
    }
  }
  await write(plain)
  if (named.length > 0) await traceNamed(tx, session, doc, named, places, write)
}
