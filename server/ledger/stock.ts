import { add, type Decimal, isNegative, isZero, negate, share, subtract, sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { shortage } from '#kernel/rules/shortage.ts'
import { checkNotLocked } from '#server/ledger/warehouse-lock.ts'
import { pipelined, type Tx } from '#server/database/transaction.ts'

/** One signed row of the stock ledger. `value` null: the goods leave at the average cost of their balance. */
export type StockRow = {
  readonly line_no: number
  readonly step: string
  readonly warehouse_id: string
  readonly location: string
  readonly specification_id: string
  readonly lot_id: string
  readonly owner_id: string
  readonly quality_state: string
  readonly quantity: Decimal
  readonly value: Decimal | null
}
export type Posted = { readonly org: string; readonly document: string; readonly day: string }

const KEY = ['warehouse_id', 'location', 'specification_id', 'lot_id', 'owner_id', 'quality_state'] as const
type Key = Pick<StockRow, (typeof KEY)[number]>
const keyOf = (row: Key): string => KEY.map(name => row[name]).join('/')
const keyPart = ({ warehouse_id, location, specification_id, lot_id, owner_id, quality_state }: Key): Key => ({
  warehouse_id,
  location,
  specification_id,
  lot_id,
  owner_id,
  quality_state,
})
const keySet =
  'warehouse_id bigint, location text, specification_id bigint, lot_id bigint, owner_id bigint, quality_state text'
const join = KEY.map(name => `b.${name} = k.${name}`).join(' and ')
const keyList = KEY.join(', ')

type Balance = Key & {
  quantity: Decimal
  value: Decimal
  reserved: Decimal
  lot_no: string
  product_name: string
  specification_name: string
}

/** Locks the balances that lose goods, in key order (the program's lock order: no two postings can deadlock). */
async function lockBalances(tx: Tx, posted: Posted, keys: readonly Key[]): Promise<Map<string, Balance>> {
  const rows = await tx<Omit<Balance, 'reserved'>[]>`
    select b.warehouse_id, b.location, b.specification_id, b.lot_id, b.owner_id, b.quality_state, b.quantity, b.value,
      t.lot_no,
           p.name as product_name, s.name as specification_name
      from stock_balance b
      join jsonb_to_recordset(${tx.json(keys)}) as k(${tx.unsafe(keySet)}) on ${tx.unsafe(join)}
      join lot t on t.id = b.lot_id join specification s on s.id = b.specification_id
        join product p on p.id = s.product_id
     where b.org_id = ${posted.org}
     order by b.warehouse_id, b.location, b.specification_id, b.lot_id, b.owner_id, b.quality_state
       for update of b`
  if (rows.length === 0) return new Map()
  // A separate statement: only after the lock is it known what others still have reserved, and what they released
  // meanwhile.
  const reserved = await tx<(Key & { quantity: Decimal })[]>`
    select r.warehouse_id, r.location, r.specification_id, r.lot_id, r.owner_id, r.quality_state,
      sum(r.quantity)::numeric(18,3) as quantity from reservation r
     where r.org_id = ${posted.org} and r.document_id <> ${posted.document}
       and r.warehouse_id = any(${[...new Set(rows.map(row => row.warehouse_id))]}::bigint[])
         and r.lot_id = any(${[...new Set(rows.map(row => row.lot_id))]}::bigint[])
     group by 1, 2, 3, 4, 5, 6`
  const promised = new Map(reserved.map(row => [keyOf(row), row.quantity]))
  return new Map(rows.map(row => [keyOf(row), { ...row, reserved: promised.get(keyOf(row)) ?? '0.000' }]))
}

type ShortBalance = { readonly key: Key; readonly have: Decimal; readonly need: Decimal; readonly reserved: Decimal }
/** 库存不足 as a user message, for every balance that is short. */
async function refuseShort(tx: Tx, short: readonly ShortBalance[]): Promise<never> {
  const named = await tx<{ lot_id: string; lot_no: string; name: string; specification: string }[]>`
    select t.id as lot_id, t.lot_no, p.name, s.name as specification from lot t
      join specification s on s.id = t.specification_id join product p on p.id = s.product_id
     where t.id = any(${short.map(item => item.key.lot_id)}::bigint[])`
  const problems = short.map(({ key, have, need, reserved }) => {
    const lot = named.find(row => row.lot_id === key.lot_id)
    return {
      field: 'quantity',
      msg: shortage(`${lot?.name ?? ''} ${lot?.specification ?? ''} 批号${lot?.lot_no || '无批号'}`, {
        free: have,
        wanted: need,
        reserved,
      }),
    }
  })
  throw new BusinessError('stockShort', problems[0]!.msg, problems)
}

/** Values of the rows that leave at average cost; the row with the last piece takes the rest of the value. */
function valued(rows: readonly StockRow[], balances: ReadonlyMap<string, Balance>): StockRow[] {
  const left = new Map(
    [...balances].map(([key, balance]) => [key, { quantity: balance.quantity, value: balance.value }]),
  )
  let carried: Decimal = '0.00'
  return rows.map(row => {
    if (row.value !== null) return row
    if (!isNegative(row.quantity)) return { ...row, value: carried }
    const balance = left.get(keyOf(row))
    const taken =
      balance && !isZero(balance.quantity) ? share(balance.value, negate(row.quantity), balance.quantity, 2) : '0.00'
    if (balance)
      left.set(keyOf(row), {
        quantity: add(balance.quantity, row.quantity, 3),
        value: subtract(balance.value, taken, 2),
      })
    carried = taken
    return { ...row, value: negate(taken) }
  })
}

/** Documents with at least this many rows are queued. */
const LONG = 50

type Net = Key & { quantity: Decimal; value: Decimal }
function netOf(rows: readonly StockRow[]): Net[] {
  return [...Map.groupBy(rows, keyOf).values()].map(group => ({
    ...keyPart(group[0]!),
    quantity: sum(
      group.map(row => row.quantity),
      3,
    ),
    value: sum(
      group.map(row => row.value ?? '0'),
      2,
    ),
  }))
}

/**
 * Long documents of one store run one after another, queued before they lock rows: many at once on the same rows
 * would wait for each other row by row.
 */
async function queue(tx: Tx, posted: Posted, rows: readonly StockRow[]): Promise<void> {
  if (rows.length < LONG) return
  await tx`select pg_advisory_xact_lock(hashtextextended(${`stock/${posted.org}/${rows[0]!.warehouse_id}`}, 0))`
}

/**
 * Writes rows into the stock ledger and its balances: at most eight statements, regardless of the number of rows.
 * Outgoing goods are refused when on hand less others' reservations does not suffice. A row that receives what its
 * predecessor issued inherits its value, so moves between own places change no cost. `beside` is sent along with
 * them, once nothing is short. Returns the rows with their values.
 */
export async function postStock(
  tx: Tx,
  posted: Posted,
  rows: readonly StockRow[],
  beside: () => Promise<unknown> = async () => null,
): Promise<StockRow[]> {
  if (rows.length === 0) {
    await beside()
    return []
  }
  await checkNotLocked(
    tx,
    posted.org,
    rows.map(row => row.warehouse_id),
  )
  const losing = netOf(rows.map(row => ({ ...row, value: '0' }))).filter(net => isNegative(net.quantity))
  const [, balances] = await pipelined([
    losing.length > 0 ? queue(tx, posted, rows) : null,
    losing.length > 0 ? lockBalances(tx, posted, losing) : new Map<string, Balance>(),
  ])
  const short = losing.flatMap(net => {
    const balance = balances.get(keyOf(net))
    const have = balance ? subtract(balance.quantity, balance.reserved, 3) : '0.000'
    return isNegative(add(have, net.quantity, 3))
      ? [{ key: net as Key, have, need: negate(net.quantity), reserved: balance?.reserved ?? '0.000' }]
      : []
  })
  if (short.length > 0) await refuseShort(tx, short)
  const known = valued(rows, balances)
  const corrections = correctionsOf(netOf(known), balances)
  await pipelined([
    losing.length > 0 ? null : queue(tx, posted, rows),
    writeBalances(tx, posted, netOf([...known, ...corrections])),
    insertMoves(tx, posted, [...known, ...corrections]),
    beside(),
  ])
  return known
}

/**
 * Undoing an expensive receipt after others left at the average would leave goods of negative value: the difference
 * is booked as a cost correction.
 */
function correctionsOf(nets: readonly Net[], balances: ReadonlyMap<string, Balance>): StockRow[] {
  return nets.flatMap(net => {
    const balance = balances.get(keyOf(net))
    if (!balance || !isNegative(net.quantity)) return []
    const value = add(balance.value, net.value, 2)
    const isLow = isNegative(value) && !isZero(add(balance.quantity, net.quantity, 3))
    return isLow ? [{ ...net, line_no: 0, step: 'correct', quantity: '0.000', value: negate(value) }] : []
  })
}

async function writeBalances(tx: Tx, posted: Posted, nets: readonly Net[]): Promise<void> {
  const out = nets.filter(net => isNegative(net.quantity))
  const into = nets.filter(net => !isNegative(net.quantity) && !(isZero(net.quantity) && isZero(net.value)))
  const set = `${keySet}, quantity numeric, value numeric`
  if (out.length > 0) {
    await tx`
      update stock_balance b set quantity = b.quantity + k.quantity, value = b.value + k.value
        from jsonb_to_recordset(${tx.json(out)}) as k(${tx.unsafe(set)})
       where b.org_id = ${posted.org} and ${tx.unsafe(join)}`
    const gone = await tx<Net[]>`
      delete from stock_balance b
        using jsonb_to_recordset(${tx.json(out)}) as k(${tx.unsafe(set)})
       where b.org_id = ${posted.org} and ${tx.unsafe(join)} and b.quantity = 0
      returning b.warehouse_id, b.location, b.specification_id, b.lot_id, b.owner_id, b.quality_state, b.quantity,
        b.value`
    // Undoing a receipt after others left at another average leaves value without goods: it is booked out as a cost
    // correction.
    const rest = gone.filter(row => !isZero(row.value))
    if (rest.length > 0)
      await insertMoves(
        tx,
        posted,
        rest.map(row => ({ ...row, line_no: 0, step: 'correct', value: negate(row.value) })),
      )
  }
  if (into.length > 0) {
    await tx`
      insert into stock_balance as b (org_id, ${tx.unsafe(keyList)}, quantity, value)
      select d.org_id, ${tx.unsafe(KEY.map(name => `k.${name}`).join(', '))}, k.quantity, k.value
        from document d cross join jsonb_to_recordset(${tx.json(into)}) as k(${tx.unsafe(set)})
       where d.org_id = ${posted.org} and d.id = ${posted.document}
       order by k.warehouse_id, k.location, k.specification_id, k.lot_id, k.owner_id, k.quality_state
      on conflict (org_id, ${tx.unsafe(keyList)}) do update set quantity = b.quantity + excluded.quantity,
        value = b.value + excluded.value`
  }
}

async function insertMoves(tx: Tx, posted: Posted, rows: readonly StockRow[]): Promise<void> {
  await tx`
    insert into stock_move (org_id, ${tx.unsafe(keyList)}, quantity, value, step, document_id, document_kind, line_no,
      business_date)
    select d.org_id, ${tx.unsafe(KEY.map(name => `k.${name}`).join(', '))}, k.quantity, k.value, k.step, d.id, d.kind,
      k.line_no, ${posted.day}
      from document d cross
        join jsonb_to_recordset(${tx.json(rows)}) as k(${tx.unsafe(keySet)}, quantity numeric,
        value numeric, step text, line_no int)
     where d.org_id = ${posted.org} and d.id = ${posted.document}`
}

/** The net of everything a document has in the ledger, per line and key; only requested lines. */
export async function netMoves(tx: Tx, org: string, document: string): Promise<StockRow[]> {
  return tx<StockRow[]>`
    select line_no, min(step) as step, warehouse_id, location, specification_id, lot_id, owner_id, quality_state,
           sum(quantity)::numeric(18,3) as quantity, sum(value)::numeric(18,2) as value
      from stock_move where org_id = ${org} and document_id = ${document}
     group by line_no, warehouse_id, location, specification_id, lot_id, owner_id, quality_state
    having sum(quantity) <> 0 or sum(value) <> 0
     order by line_no, sum(quantity)`
}
