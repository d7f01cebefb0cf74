import { canonicalCode } from '#kernel/codes/canonical-code.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import { today } from '#kernel/values/date.ts'
import type { Move, Place } from '#kernel/ledger/posting.ts'
import { packOf } from '#kernel/codes/pack-code.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { type VirtualLocations, locationOf } from '#server/documents/posting/locations.ts'
import type { StoredDocument, StoredLine } from '#server/documents/repository/document.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import {
  type End,
  type KnownUnit,
  createSerials,
  stateOf,
  type TraceRow,
  unborn,
  type UnitState,
  serialsByCode,
  writeTrace,
} from '#server/ledger/trace.ts'

const gone: Readonly<Record<string, string>> = {
  use: 'used',
  scrap: 'scrapped',
  loss: 'lost',
  return: 'returned',
  issue: 'issued',
  ship: 'in_transit',
}

const answersFor = new Set(['use', 'loss', 'scrap', 'issue'])

/** A unit's row after it arrived at a place. */
export function stateAt(
  place: Place,
  step: string,
  session: Session,
  places: VirtualLocations,
  owner: string,
  doc: StoredDocument,
  endsPack = step === 'unpack',
): UnitState {
  const spot = locationOf(place, places)
  const none = { use_org_id: null, use_id: null, under: null }
  // The contents of an opened pack stay in the store; only the pack ends.
  if (endsPack)
    return {
      status: 'opened',
      holder_org_id: session.org.id,
      warehouse_id: null,
      store: null,
      place: null,
      owner_id: owner,
      ...none,
    }
  if (place.at === 'store')
    return {
      status: 'in_stock',
      holder_org_id: session.org.id,
      warehouse_id: spot!.warehouse_id,
      store: places.names.get(spot!.warehouse_id) ?? null,
      place: spot!.location,
      owner_id: owner,
      ...none,
    }
  if (place.at === 'transit')
    return {
      status: 'in_transit',
      holder_org_id: session.org.id,
      warehouse_id: places.transit,
      store: '在途',
      place: null,
      owner_id: owner,
      ...none,
      under: place.under,
    }
  const used = step === 'use' ? { use_org_id: session.org.id, use_id: doc.id } : {}
  return {
    status: gone[step] ?? 'gone',
    // The organisation that used, lost or destroyed it remains its holder; what it lost, it may find.
    holder_org_id: answersFor.has(step) ? session.org.id : null,
    warehouse_id: null,
    store: null,
    place: null,
    owner_id: owner,
    ...none,
    ...used,
  }
}

/** The organisation that a place belongs to, if not ours. */
const otherSide = (place: Place): string | null =>
  place.at === 'outside' ? place.org : place.at === 'consigned' ? place.customer : null

/** The end of an event at which a piece or its code begins or ends. */
export const nowhere: End = { org: null, place: null, warehouse: null }

/** One end of an event in words: our stores by name, the other side by organisation. */
export function endOf(place: Place, move: Move, session: Session, places: VirtualLocations, arriving: boolean): End {
  const spot = locationOf(place, places)
  if (place.at === 'store')
    return { org: session.org.id, place: places.names.get(place.warehouse) ?? null, warehouse: place.warehouse }
  if (place.at === 'transit') return { org: session.org.id, place: '在途', warehouse: spot!.warehouse_id }
  const other = otherSide(place)
  if (other)
    return {
      org: other,
      place: ['receive', 'return', 'transfer_in'].includes(move.step) && !arriving ? '在途' : null,
      warehouse: null,
    }
  return nowhere
}

export const serialError = (unit: KnownUnit, code: string, session: Session): string => {
  if (unit.is_pack) return packError(unit, code, session)
  if (unit.replaced_by !== null) return `院内码${code}已换签，请扫描新码${unit.replaced_by}`
  if (unit.ended !== null) return `院内码${code}已作废`
  if (unit.status === 'used') return `院内码${code}已使用`
  if (unit.status === 'scrapped') return `院内码${code}：该产品已报废`
  if (unit.status === 'in_transit' && unit.holder_org_id === session.org.id) return `院内码${code}在途，尚未收货`
  if (unit.status === 'in_stock' && unit.holder_org_id === session.org.id)
    return `院内码${code}不在该仓库，请核对所在仓库`
  return `院内码${code}不在库，请核对后重新扫描`
}

function packError(unit: KnownUnit, scanned: string, session: Session): string {
  const code = packOf(scanned)
  if (unit.status === 'opened') return `定数包${code}已拆包`
  if (unit.status === 'used') return `定数包${code}已消耗`
  if (unit.status === 'void') return `定数包${code}已作废`
  const isMine = unit.holder_org_id === session.org.id
  if (unit.status === 'in_transit' && isMine) return `定数包${code}在途，尚未收货`
  if (unit.status === 'in_stock' && isMine) return `定数包${code}不在本仓库，请核对所在仓库`
  return `定数包${code}不在库，请核对后重新扫描`
}

/** The message for a code that cannot come in: each code is created once and is in one place only. */
function arrivalSentence(unit: KnownUnit, { move, code }: Coded, session: Session): string {
  if (move.step === 'produce') return `序列号${code}已存在`
  if (move.step === 'opening') return `院内码${code}已存在`
  if (move.step === 'overflow' && unit.status === 'in_stock' && unit.holder_org_id === session.org.id)
    return `院内码${code}账面在【${unit.store ?? ''}】，请使用移库或调拨`
  return move.from.at === 'outside' && unit.status === 'in_stock'
    ? `院内码${code}已在库`
    : serialError(unit, code, session)
}

/** True if the unit is where the move takes it from. */
export function isAtSource(unit: KnownUnit, move: Move, session: Session): boolean {
  if (unit.ended !== null) return false
  const mine = unit.holder_org_id === session.org.id
  if (move.from.at === 'store') return mine && unit.status === 'in_stock' && unit.warehouse_id === move.from.warehouse
  if (move.from.at === 'transit') return mine && unit.status === 'in_transit' && unit.under === move.from.under
  const other = otherSide(move.from)
  if (other) return unit.status === 'in_transit' && unit.holder_org_id === other
  // Lost pieces may be found, and lent ones come back.
  const expected = move.step === 'overflow' ? 'lost' : move.step === 'receive' ? 'issued' : null
  return unit.status === 'void' || (expected !== null && mine && unit.status === expected)
}

/** Used pieces stay used: the message says what cannot be done with them, where the kind defines it. */
const refusedAs = (unit: KnownUnit, code: string, session: Session, action: string | undefined): string =>
  `${serialError(unit, code, session)}${unit.status === 'used' && action ? `，不能${action}` : ''}`

/** Scanned pieces must be in the store that they are to leave; checked at submit, before anything is reserved. */
export async function checkSerialsInStock(
  tx: Tx,
  session: Session,
  doc: StoredDocument,
  action?: string,
): Promise<void> {
  const codes = doc.lines.flatMap(line => line.unit_codes)
  if (codes.length === 0 || !doc.warehouse_model_inner_sn) return
  const known = await serialsByCode(tx, session.org.id, codes)
  for (const line of doc.lines)
    for (const code of line.unit_codes) {
      const unit = known.get(code)
      const isStored = unit?.status === 'in_stock' || (unit?.status === 'in_transit' && unit.under === line.location)
      const here =
        unit?.ended === null &&
        isStored &&
        unit.holder_org_id === session.org.id &&
        unit.warehouse_id === doc.warehouse_model_inner_sn
      if (here) continue
      const msg = unit ? refusedAs(unit, code, session, action) : `院内码${code}不存在，请核对后重新扫描`
      throw new BusinessError('unitNotHere', msg, [{ line: line.line_no, field: 'unit_codes', msg }])
    }
}

type Coded = { move: Move; line: StoredLine; code: string }

/** Events of coded lines, one per unit; unknown units are created where goods come in from outside. */
async function unitRows(
  tx: Tx,
  session: Session,
  doc: StoredDocument,
  coded: readonly Coded[],
  places: VirtualLocations,
): Promise<TraceRow[]> {
  const known = await serialsByCode(
    tx,
    session.org.id,
    coded.map(item => item.code),
  )
  const isBirth = (item: Coded) =>
    // A new pack's code is new, though another hospital may have given the same one.
    item.move.packSize !== undefined ||
    (item.move.from.at === 'outside' && (!known.has(item.code) || known.get(item.code)!.status === 'void'))
  const ownerOf = ({ move }: Coded) => move.toOwner ?? move.owner ?? session.org.id
  // A coded piece that comes out of a pack stays what it is.
  const endsPack = (item: Coded) => item.move.step === 'unpack' && known.get(item.code)?.is_pack === true
  const after = (item: Coded) =>
    stateAt(item.move.to, item.move.step, session, places, ownerOf(item), doc, endsPack(item))
  const births = coded.filter(isBirth)
  const identities = await createSerials(
    tx,
    session.org.id,
    births.map(item => ({
      bare: item.code,
      kind: item.move.packSize === undefined ? canonicalCode(item.code, today()).kind : 'pack',
      lot_id: item.line.lot_id!,
      specification_id: item.line.specification_sn!,
      state: after(item),
      ...(item.move.packSize === undefined ? {} : { quantity: item.move.packSize }),
    })),
  )
  const born = new Map(births.map((item, at) => [item, identities[at]!]))
  return coded.map(item => {
    const unit = known.get(item.code)
    const birth = born.get(item)
    if (!birth) {
      if (!unit)
        throw new BusinessError('unitNotHere', `院内码${item.code}不存在，请核对后重新扫描`, [
          { line: item.line.line_no, field: 'unit_codes', msg: `院内码${item.code}不存在，请核对后重新扫描` },
        ])
      if (!isAtSource(unit, item.move, session)) {
        const msg = arrivalSentence(unit, item, session)
        throw new BusinessError('unitNotHere', msg, [{ line: item.line.line_no, field: 'unit_codes', msg }])
      }
      if (unit.lot_id !== item.line.lot_id)
        throw new BusinessError(
          'rule',
          `院内码${item.code}属于批号${unit.lot_no}，与明细批号${item.line.lot_no ?? ''}不一致`,
        )
    }
    const identity = birth ?? { lot_id: unit!.lot_id, unit_id: unit!.unit_id }
    return {
      line_no: item.line.line_no,
      step: item.move.step,
      ...identity,
      quantity: item.move.packSize ?? unit?.quantity ?? ('1.000' as Decimal),
      from: endOf(item.move.from, item.move, session, places, false),
      // The code of a pack ends where it is opened.
      to: endsPack(item) ? nowhere : endOf(item.move.to, item.move, session, places, true),
      before: birth ? unborn : stateOf(unit!),
      after: after(item),
      ...(birth ? { born: true } : {}),
    }
  })
}

/** Writes the events of moves: one per unit where a line has codes, else one for the lot's quantity. */
export async function recordTraceEvents(
  tx: Tx,
  session: Session,
  doc: StoredDocument,
  moves: readonly Move[],
  places: VirtualLocations,
): Promise<void> {
  const lines = new Map(doc.lines.map(line => [line.line_no, line]))
  const coded: Coded[] = []
  const plain: TraceRow[] = []
  for (const booked of moves) {
    const move = { ...booked, from: booked.tracedFrom ?? booked.from, to: booked.tracedTo ?? booked.to }
    const line = lines.get(move.line_no)!
    if (line.unit_codes.length > 0) coded.push(...(move.codes ?? line.unit_codes).map(code => ({ move, line, code })))
    else
      plain.push({
        line_no: line.line_no,
        step: move.step,
        lot_id: line.lot_id!,
        unit_id: '0',
        quantity: move.quantity,
        from: endOf(move.from, move, session, places, false),
        to: endOf(move.to, move, session, places, true),
        before: null,
        after: null,
      })
  }
  const rows = coded.length > 0 ? await unitRows(tx, session, doc, coded, places) : []
  await writeTrace(tx, { org: session.org.id, kind: doc.kind, sn: doc.sn, document: doc.id, actor: session.userName }, [
    ...plain,
    ...rows,
  ])
}
