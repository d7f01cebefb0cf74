import type { AnyDocument } from '#kernel/definition/document.ts'
import { type Decimal, divide, isNegative, isZero, multiply, negate, sum } from '#kernel/values/decimal.ts'
import { splitTax, type TaxRate, totalAmounts } from '#kernel/values/tax-amounts.ts'
import type { LineInput } from '#server/documents/lines/complete.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import type { HeaderValues } from '#server/documents/repository/save.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import type { StockRow } from '#server/ledger/stock.ts'

type Balance = {
  readonly key: string
  readonly specification_id: string
  readonly lot_no: string
  readonly quantity: Decimal
  readonly value: Decimal
}

/** The key of a store's balance: goods, lot, owner, location, quality. */
export const balanceKey = (line: LineInput): string =>
  [
    line.specification_sn,
    line.lot_no ?? '',
    line.owner_org_sn,
    line.location ?? '',
    line.quality_state ?? 'qualified',
  ].join('/')

/** Average cost of one base unit across the balances, 4 places. */
function unitCost(balances: readonly Balance[]): Decimal | null {
  const quantity = sum(
    balances.map(row => row.quantity),
    3,
  )
  const value = sum(
    balances.map(row => row.value),
    2,
  )
  return isZero(quantity) ? null : divide(value, quantity, 4)
}

const lotKey = (row: { specification_id: string; lot_no: string }): string => `${row.specification_id}/${row.lot_no}`
const keyOfLot = (line: LineInput): string => `${line.specification_sn}/${line.lot_no ?? ''}`
const isPriced = (line: LineInput): boolean => line.price !== null && line.price !== undefined
const isOurs = (line: LineInput, session: Session): boolean =>
  !line.owner_org_sn || line.owner_org_sn === session.org.id

/**
 * For lots not in stock: their last cost here; for lots never received: the last incoming cost of their
 * specification.
 */
async function lastCosts(tx: Tx, org: string, lines: readonly LineInput[]): Promise<Map<string, Decimal>> {
  const asked = lines.map(line => ({ specification_id: line.specification_sn, lot_no: line.lot_no ?? '' }))
  const rows = await tx<{ specification_id: string; lot_no: string; cost: Decimal }[]>`
    select distinct k.specification_id, k.lot_no, m.cost
      from jsonb_to_recordset(${tx.json(asked)}) as k(specification_id bigint, lot_no text)
      join lateral (
        select round(m.value / m.quantity, 4)::numeric(18,4) as cost from stock_lot s join lot t on t.id = s.lot_id
          join stock_move m on m.org_id = s.org_id and m.lot_id = s.lot_id
         where s.org_id = ${org} and s.specification_id = k.specification_id and m.owner_id = s.org_id and m.value <> 0
           and m.undo_of is null
           and (t.lot_no = k.lot_no or m.quantity > 0 and m.step in ('receive', 'opening'))
         order by (t.lot_no = k.lot_no) desc, m.id desc limit 1) m on true`
  return new Map(rows.map(row => [lotKey(row), row.cost]))
}

/**
 * Lines at cost, without tax: outgoing goods at the average of the exact balance used, found goods at the average of
 * their lot wherever we have it, else at its last cost. `measure` gives the base units per line unit.
 */
export async function priceAtCost(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  header: HeaderValues,
  lines: readonly LineInput[],
  measure: (line: LineInput) => number,
): Promise<LineInput[]> {
  const wanted = [...new Set(lines.map(line => String(line.specification_sn)))]
  const leaving = definition.pricing.costing === 'leaving'
  const rows = await tx<Balance[]>`
    select concat_ws('/', b.specification_id, t.lot_no, b.owner_id, b.location, b.quality_state) as key,
      b.specification_id, t.lot_no, b.quantity, b.value
      from stock_balance b join lot t on t.id = b.lot_id
     where b.org_id = ${session.org.id} and b.specification_id = any(${wanted}::bigint[])
       ${
         leaving
           ? tx`and b.warehouse_id = ${(header.warehouse_model_inner_sn as string | null) ?? '0'}`
           : tx`and
         b.owner_id = b.org_id`
       }`
  const found = Map.groupBy(rows, row => (leaving ? row.key : lotKey(row)))
  const gone = lines.filter(line => !leaving && isOurs(line, session) && !isPriced(line) && !found.has(keyOfLot(line)))
  const last = gone.length === 0 ? new Map<string, Decimal>() : await lastCosts(tx, session.org.id, gone)
  return lines.map(line => {
    const key = leaving ? balanceKey(line) : keyOfLot(line)
    const cost = unitCost(found.get(key) ?? []) ?? last.get(key) ?? null
    const written = !leaving && isPriced(line)
    const price = written
      ? line.price
      : cost === null
        ? leaving
          ? '0'
          : null
        : multiply(cost, String(measure(line)), 4)
    return { ...line, price, tax_rate: 0, ...(leaving ? { taxed_amount: null, tax_amount: null } : {}) }
  })
}

/**
 * At review the document's amounts match the ledger to the cent, and every copy shows the same. Price and tax follow
 * only on lines of `own` goods; goods of others keep the values of their lines.
 */
export async function settleCosts(
  tx: Tx,
  org: string,
  doc: StoredDocument,
  stock: readonly StockRow[],
  costing: 'leaving' | 'own',
): Promise<StoredDocument> {
  const left = Map.groupBy(
    stock.filter(row => isNegative(row.quantity)),
    row => row.line_no,
  )
  const lines = doc.lines.map(line => {
    const isOthers = line.owner_org_sn !== null && line.owner_org_sn !== org
    if (costing === 'own' && isOthers) return line
    const values = (left.get(line.line_no) ?? []).map(row => row.value ?? '0')
    const cost = negate(sum(values, 2))
    if (costing === 'leaving') return { ...line, ...splitTax(cost, 0) }
    const price = isZero(line.quantity) ? line.price : divide(cost, line.quantity, 4)
    return { ...line, price, ...splitTax(cost, line.tax_rate as TaxRate) }
  })
  const rows = lines.map(({ line_no, price, untaxed_amount, tax_amount, taxed_amount }) => ({
    line_no,
    price,
    untaxed_amount,
    tax_amount,
    taxed_amount,
  }))
  await tx`
    update document_line l set price = k.price, untaxed_amount = k.untaxed_amount, tax_amount = k.tax_amount,
      taxed_amount = k.taxed_amount
      from jsonb_to_recordset(${tx.json(rows)}) as k(line_no int, price numeric,
        untaxed_amount numeric, tax_amount numeric, taxed_amount numeric)
     where l.org_id = ${org} and l.document_id = ${doc.id} and l.line_no = k.line_no`
  const total = totalAmounts(lines)
  await tx`
    update document set untaxed_amount = ${total.untaxed_amount}, tax_amount = ${total.tax_amount},
      taxed_amount = ${total.taxed_amount} where org_id = ${org} and id = ${doc.id}`
  return { ...doc, ...total, lines }
}
