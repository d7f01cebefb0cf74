import type { AnyDocument, Book } from '#kernel/definition/document.ts'
import { type Decimal, negate } from '#kernel/values/decimal.ts'
import type { Entry, Move, Posting } from '#kernel/ledger/posting.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { StoredDocument, StoredLine } from '#server/documents/repository/document.ts'
import type { Session } from '#server/access/session.ts'
import { pipelined, type Tx } from '#server/database/transaction.ts'
import { type AccountRow, postAccounts } from '#server/ledger/accounts.ts'
import { type ConsignedRow, postConsignment } from '#server/ledger/consignment.ts'
import { type DatedLot, keepLotDates } from '#server/ledger/lot-dates.ts'
import { type Posted, postStock, type StockRow } from '#server/ledger/stock.ts'
import { type Item, itemsOf } from '#server/documents/posting/items.ts'
import { checkUnserialisedStock } from '#server/documents/posting/serialised-stock.ts'
import {
  type VirtualLocations,
  virtualLocations,
  locationOf,
  resolvePlace,
  withLoanStore,
} from '#server/documents/posting/locations.ts'
import { traceLotChanges } from '#server/documents/posting/trace-lot-change.ts'
import { leavingBy, refuseUnfit } from '#server/documents/posting/unfit-goods.ts'
import { recordTraceEvents } from '#server/documents/posting/trace.ts'

export const postingContext = (session: Session): Book => ({ org: session.org.id, type: session.org.type })

type Spot = { readonly warehouse_id: string; readonly location: string }
type Rows = { stock: StockRow[]; consigned: ConsignedRow[] }

/**
 * A move as signed rows: minus where goods leave, plus where they arrive. The arriving row follows its leaving row
 * and inherits its value.
 */
function rowsOf(line: StoredLine, move: Move, org: string, places: VirtualLocations, rows: Rows): void {
  const { specification_sn: specification } = line
  const lot_id = move.lot ?? line.lot_id
  if (!specification || !lot_id)
    throw new BusinessError('invalid', undefined, [
      { line: line.line_no, field: 'lot_no', msg: `第${line.line_no}行【${line.product_name ?? ''}】缺少批号，请补充` },
    ])
  const owner = move.owner ?? org
  const quality = move.quality ?? 'qualified'
  const key = { line_no: line.line_no, step: move.step, specification_id: specification, lot_id }
  const from = locationOf(move.from, places)
  const to = locationOf(move.to, places)
  if (from && to && isNamed(move, from, to)) return
  if (from)
    rows.stock.push({
      ...key,
      ...from,
      owner_id: owner,
      quality_state: quality,
      quantity: negate(move.quantity),
      value: move.value !== undefined ? negate(move.value) : null,
    })
  if (move.from.at === 'consigned')
    rows.consigned.push({ ...key, customer_id: move.from.customer, quantity: negate(move.quantity), value: null })
  if (to)
    rows.stock.push({
      ...key,
      ...to,
      lot_id: move.toLot ?? lot_id,
      owner_id: move.toOwner ?? owner,
      quality_state: move.toQuality ?? quality,
      quantity: move.quantity,
      value: move.value ?? (from ? null : '0.00'),
    })
  if (move.to.at === 'consigned')
    rows.consigned.push({
      ...key,
      lot_id: move.toLot ?? lot_id,
      customer_id: move.to.customer,
      quantity: move.quantity,
      value: move.value ?? null,
    })
}

/** Goods whose place, owner and kind stay the same: only the information about them changes, and that is an event. */
const isNamed = (move: Move, from: Spot, to: Spot): boolean =>
  from.warehouse_id === to.warehouse_id &&
  from.location === to.location &&
  (move.toOwner ?? move.owner) === move.owner &&
  (move.toQuality ?? move.quality) === move.quality &&
  move.toLot === undefined

const accountRow =
  (doc: StoredDocument, items: ReadonlyMap<Entry, Item>) =>
  (entry: Entry): AccountRow => {
    const counterparty = entry.counterparty ?? doc.counterparty_sn
    if (!counterparty) throw new Error(`${doc.sn} books for nobody`)
    const { line_no, account, amount } = entry
    const item = items.get(entry)
    const under = { item_id: item?.id ?? null, item_line: item?.line ?? 0 }
    return { line_no, account, amount, counterparty_id: counterparty, ...under }
  }

/** Entries as rows of the ledger, each under the item that it opens or settles. */
export async function accountRows(
  tx: Tx,
  org: string,
  definition: AnyDocument,
  doc: StoredDocument,
  entries: readonly Entry[],
): Promise<AccountRow[]> {
  if (entries.length > 0 && !definition.posting.accountMovement)
    throw new Error(`${definition.kind} books accounts and does not say what that does to the balance`)
  return entries.map(accountRow(doc, await itemsOf(tx, org, definition, doc, entries)))
}

const isOnLoan = ({ from, to }: Move): boolean => from.at === 'loan' || to.at === 'loan'

export type PostedRows = {
  readonly stock: readonly StockRow[]
  readonly entries: readonly AccountRow[]
  readonly consigned: readonly ConsignedRow[]
}

/** Writes a posting into the three ledgers. `cause` is the document that the rows belong to. */
export async function postDocument(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  doc: StoredDocument,
  posting: Posting,
): Promise<PostedRows> {
  const org = session.org.id
  const asked = posting.moves ?? []
  const posted: Posted = { org, document: doc.id, day: doc.business_date }
  const entries = await accountRows(tx, org, definition, doc, posting.entries ?? [])
  if (asked.length === 0) {
    await postAccounts(tx, posted, entries)
    return { stock: [], entries, consigned: [] }
  }
  // The other side's move is a fact: it is booked without a direction and not judged here.
  const [known] = await pipelined([
    virtualLocations(tx, org),
    definition.posting.stockDirection === 'none' ? null : refuseUnfit(tx, org, definition, doc, leavingBy(doc, asked)),
  ])
  const places = asked.some(isOnLoan) ? await withLoanStore(tx, org, known) : known
  const moves = asked.map(move => ({
    ...move,
    from: resolvePlace(move.from, places),
    to: resolvePlace(move.to, places),
  }))
  const rows: Rows = { stock: [], consigned: [] }
  const lines = new Map(doc.lines.map(line => [line.line_no, line]))
  for (const move of moves) {
    const line = lines.get(move.line_no)
    if (!line) throw new Error(`${doc.sn} posts line ${move.line_no}, which it has not`)
    rowsOf(line, move, org, places, rows)
  }
  const home = comesHome(moves)
  const before = home ? await postConsignment(tx, posted, rows.consigned) : []
  const traced = moves.filter(move => move.traced !== false)
  const ofLot = traced.filter(move => move.toLot === undefined)
  const beside = () =>
    pipelined([postAccounts(tx, posted, entries), recordTraceEvents(tx, session, doc, ofLot, places)])
  const [, stock] = await pipelined([
    definition.posting.stockDirection === 'in' ? keepLotDates(tx, org, datedLots(doc, moves)) : null,
    postStock(tx, posted, home ? withMemoValue(rows.stock, before) : rows.stock, beside),
  ])
  const consigned = home ? before : await postConsignment(tx, posted, withLeavingValue(rows.consigned, stock))
  await traceLotChanges(
    tx,
    session,
    doc,
    traced.filter(move => move.toLot !== undefined),
    places,
  )
  await checkUnserialisedStock(tx, org, [...leftBare(doc, rows.stock), ...packedLots(doc, moves)])
  return { stock, entries, consigned }
}

/** Lots of which something left without a code. */
const leftBare = (doc: StoredDocument, rows: readonly StockRow[]): string[] => {
  const coded = new Set(doc.lines.filter(line => line.unit_codes.length > 0).map(line => line.line_no))
  return rows.filter(row => row.quantity.startsWith('-') && !coded.has(row.line_no)).map(row => row.lot_id)
}

/** Lots of which loose goods became packs. */
const packedLots = (doc: StoredDocument, moves: readonly Move[]): string[] => {
  const lines = new Set(moves.filter(move => move.packSize !== undefined).map(move => move.line_no))
  return doc.lines.flatMap(line => (lines.has(line.line_no) && line.lot_id ? [line.lot_id] : []))
}

/** True if goods of ours move from a customer's shelf back to ours. */
const comesHome = (moves: readonly Move[]): boolean =>
  moves.some(move => move.from.at === 'consigned' && move.to.at === 'store')

/** Returned goods bring the value recorded in the memo, each part of a line its share. */
function withMemoValue(rows: readonly StockRow[], memo: readonly ConsignedRow[]): StockRow[] {
  const left = memo.map(row => ({ ...row }))
  return rows.map(row => {
    const from = left.find(
      candidate => candidate.line_no === row.line_no && candidate.quantity === negate(row.quantity),
    )
    if (!from || from.value === null) return row
    left.splice(left.indexOf(from), 1)
    return { ...row, value: negate(from.value) }
  })
}

/** Goods that go from transit to a customer's shelf keep their value. */
function withLeavingValue(rows: readonly ConsignedRow[], stock: readonly StockRow[]): ConsignedRow[] {
  const left = stock.filter(row => row.quantity.startsWith('-'))
  return rows.map((row, at) => {
    const before = rows[at - 1]
    const stays = before?.line_no === row.line_no && before.quantity === negate(row.quantity)
    // Goods that stay on the customer's shelf under another lot keep their value from the memo.
    if (row.value !== null || row.quantity.startsWith('-') || stays) return row
    const from = left.find(item => item.line_no === row.line_no && item.lot_id === row.lot_id)
    if (from) left.splice(left.indexOf(from), 1)
    return { ...row, value: from ? negate(from.value as Decimal) : '0.00' }
  })
}

const datedLots = (doc: StoredDocument, moves: readonly Move[]): DatedLot[] => {
  const arriving = new Set(moves.filter(move => move.to.at === 'store').map(move => move.line_no))
  return doc.lines
    .filter(line => arriving.has(line.line_no) && line.lot_id && line.specification_sn)
    .map(line => ({
      lot_id: line.lot_id!,
      specification_id: line.specification_sn!,
      lot_no: line.lot_no ?? '',
      line_no: line.line_no,
      production_date: line.production_date,
      expiry_date: line.expiry_date,
    }))
}
