import {
  type Decimal,
  divide,
  isPositive,
  isZero,
  least,
  multiply,
  subtract,
  wholePieces,
} from '#kernel/values/decimal.ts'

/** A product of a pack: the quantity in one pack, and the products that may replace it. */
export type Part = {
  readonly specification_id: string
  readonly name: string
  readonly quantity: Decimal
  readonly required: boolean
  readonly instead: readonly string[]
}
type Stock = { readonly specification_id: string; readonly free: Decimal }
type Pick<Row> = { readonly row: Row; readonly quantity: Decimal }
/** The number of packs with the same contents of the same lots. */
export type Batch<Row> = { readonly packs: number; readonly picks: readonly Pick<Row>[] }

const PLACES = 3

/** Picks one product for one pack, the earliest lots first; null if there is not enough of it. */
function pickOne<Row extends Stock>(
  specification: string,
  wanted: Decimal,
  rows: readonly Row[],
  left: Map<Row, Decimal>,
): Pick<Row>[] | null {
  let open = wanted
  const picks: Pick<Row>[] = []
  for (const row of rows) {
    const free = left.get(row)!
    if (row.specification_id !== specification || !isPositive(free) || isZero(open)) continue
    const quantity = least(open, free)
    picks.push({ row, quantity })
    open = subtract(open, quantity, PLACES)
  }
  if (!isZero(open)) return null
  for (const { row, quantity } of picks) left.set(row, subtract(left.get(row)!, quantity, PLACES))
  return picks
}

/**
 * Makes one pack of the remaining goods: required products or their substitutes; optional ones as far as there are any.
 */
function onePack<Row extends Stock>(parts: readonly Part[], rows: readonly Row[], left: Map<Row, Decimal>) {
  const picks: Pick<Row>[] = []
  for (const part of parts) {
    let found: Pick<Row>[] | null = null
    for (const specification of [part.specification_id, ...part.instead])
      found ??= pickOne(specification, part.quantity, rows, left)
    if (found) picks.push(...found)
    else if (part.required) return { short: part }
  }
  return { picks }
}

/**
 * Makes packs of loose goods, in batches with the same contents; fewer than requested if a required product runs out,
 * which is then named.
 */
export function composePacks<Row extends Stock>(
  parts: readonly Part[],
  rows: readonly Row[],
  wanted: number,
): { readonly batches: readonly Batch<Row>[]; readonly short: Part | null } {
  const left = new Map(rows.map(row => [row, row.free]))
  const batches: Batch<Row>[] = []
  let open = wanted
  while (open > 0) {
    const before = new Map(left)
    const pack = onePack(parts, rows, left)
    if (pack.short !== undefined) return { batches, short: pack.short }
    if (pack.picks.length === 0) return { batches, short: null }
    const taken = new Map<Row, Decimal>()
    for (const row of new Set(pack.picks.map(pick => pick.row)))
      taken.set(row, subtract(before.get(row)!, left.get(row)!, PLACES))
    const most = [...taken].map(([row, each]) => wholePieces(divide(before.get(row)!, each, 6)))
    const packs = Math.min(open, ...most)
    for (const [row, each] of taken)
      left.set(row, subtract(before.get(row)!, multiply(each, String(packs), PLACES), PLACES))
    batches.push({ packs, picks: [...taken].map(([row, quantity]) => ({ row, quantity })) })
    open -= packs
  }
  return { batches, short: null }
}
