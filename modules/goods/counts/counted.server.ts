import {
  patchDocument,
  type Recorded,
  replaceLines,
  type StoredDocument,
  type StoredLine,
  totalsOfLines,
  type TypedLine,
} from '#server/public/documents.ts'
import {
  absolute,
  add,
  compare,
  type Decimal,
  isNegative,
  isZero,
  multiply,
  round,
  subtract,
  sum,
} from '#kernel/values/decimal.ts'
import { isPackCode } from '#kernel/codes/pack-code.ts'
import { stockTake } from '#modules/goods/counts/stock-take.doc.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Line = TypedLine<typeof stockTake>

/** The current ledger of a warehouse: quantities by balance, and the pieces in it, each by one code. */
export type Books = {
  readonly quantity: (line: Line) => Decimal
  readonly codes: (line: Line) => readonly string[]
  /** The packs in the place that a line counts, and their total content. */
  readonly packs: (line: Line) => { readonly codes: readonly string[]; readonly quantity: Decimal }
  /** The base units in a pack with this code. */
  readonly size: (code: string) => Decimal
}

const keyOf = (line: {
  specification_sn: string | null
  lot_id: string | null
  owner_org_sn: string | null
  location: string | null
  quality_state: string | null
}) => [line.specification_sn, line.lot_id, line.owner_org_sn, line.location ?? '', line.quality_state].join('/')
const placeOf = (line: { lot_id: string | null; owner_org_sn: string | null; location: string | null }) =>
  [line.lot_id, line.owner_org_sn, line.location ?? ''].join('/')

/**
 * Reads the ledger of a warehouse: a counted line is compared with the ledger at the time of counting, including
 * moves since the snapshot.
 */
export async function booksOf(tx: Tx, org: string, warehouse: string | null): Promise<Books> {
  const balances = await tx<(Parameters<typeof keyOf>[0] & { quantity: Decimal })[]>`
    select specification_id as specification_sn, lot_id, owner_id as owner_org_sn, location, quality_state, quantity
      from stock_balance where org_id = ${org} and warehouse_id = ${warehouse}`
  const units = await tx<(Parameters<typeof placeOf>[0] & { code: string; quantity: Decimal; is_pack: boolean })[]>`
    select u.lot_id, u.owner_id as owner_org_sn, coalesce(u.place, '') as location, c.bare as code, u.quantity,
           c.is_pack
      from unit u join lateral (select min(x.bare) as bare, bool_or(x.kind = 'pack') as is_pack from unit_code x
        where x.lot_id = u.lot_id and x.unit_id = u.id and x.ended is null) c on true
     where u.holder_org_id = ${org} and u.warehouse_id = ${warehouse} and u.status = 'in_stock' and c.bare is not null
     order by c.bare`
  const quantities = new Map(balances.map(row => [keyOf(row), row.quantity]))
  const [packed, single] = [units.filter(row => row.is_pack), units.filter(row => !row.is_pack)]
  const pieces = Map.groupBy(single, placeOf)
  const packs = Map.groupBy(packed, placeOf)
  const sizes = new Map(units.map(row => [row.code, row.quantity]))
  const packsOf = (line: Line) => (line.quality_state === 'qualified' ? (packs.get(placeOf(line)) ?? []) : [])
  const packedAt = (line: Line) =>
    sum(
      packsOf(line).map(row => row.quantity),
      3,
    )
  return {
    // Loose goods and packs of one balance are counted on separate lines.
    quantity: line =>
      isPacked(line) ? packedAt(line) : subtract(quantities.get(keyOf(line)) ?? '0.000', packedAt(line), 3),
    codes: line => {
      const here = isPacked(line) ? packsOf(line) : line.quality_state === 'qualified' ? pieces.get(placeOf(line)) : []
      return (here ?? []).map(row => row.code)
    },
    packs: line => ({ codes: packsOf(line).map(row => row.code), quantity: packedAt(line) }),
    size: code => sizes.get(code) ?? '1.000',
  }
}

/** A line not counted yet. */
export const uncounted = {
  quantity: '0.000',
  base_quantity: '0.000',
  price: '0.0000',
  tax_rate: 0,
  untaxed_amount: '0.00',
  tax_amount: '0.00',
  taxed_amount: '0.00',
  unit_codes: [],
} as const

export const countedCodes = (line: Line): readonly string[] => line.counted_codes ?? []
export const expectedCodes = (line: Line): readonly string[] => line.expected_codes ?? []
/** Figures of a count, some of which a line does not have yet. */
type Figure =
  | 'book_quantity'
  | 'first_quantity'
  | 'recount_quantity'
  | 'counted_quantity'
  | 'difference'
  | 'difference_amount'
export const figure = (line: Line, name: Figure): Decimal | null => line[name] ?? null

/** A line that counts packs, by their codes. */
export const isPacked = (line: Line): boolean => [...expectedCodes(line), ...countedCodes(line)].some(isPackCode)

/** The pieces that make up the difference: those not found, or those the ledger does not have here. */
function codesOfDifference(line: Line, books: Books, difference: Decimal): readonly string[] {
  const here = books.codes(line)
  const counted = new Set(countedCodes(line))
  const codes = isNegative(difference)
    ? here.filter(code => !counted.has(code))
    : countedCodes(line).filter(code => !here.includes(code))
  const named = sum(
    codes.map(code => books.size(code)),
    3,
  )
  return compare(named, absolute(difference)) === 0 ? codes : []
}

/** A counted line: the current ledger quantity, and the difference at cost. */
export function settled(line: Line, books: Books): Line {
  const counted = figure(line, 'recount_quantity') ?? figure(line, 'first_quantity')
  if (counted === null) return line
  const now = books.quantity(line)
  const difference = subtract(counted, now, 3)
  const quantity = absolute(difference)
  const amount = round(multiply(line.price, quantity, 6), 2)
  return {
    ...line,
    counted_quantity: round(counted, 3),
    moved_quantity: subtract(now, figure(line, 'book_quantity') ?? '0', 3),
    difference,
    direction: isZero(difference) ? 'none' : isNegative(difference) ? 'short' : 'surplus',
    quantity,
    base_quantity: quantity,
    unit_codes: isZero(difference) ? [] : codesOfDifference(line, books, difference),
    untaxed_amount: amount,
    tax_amount: '0.00',
    taxed_amount: amount,
    difference_amount: isNegative(difference) ? subtract('0', amount, 2) : amount,
  }
}

const sumOf = (lines: readonly Line[], name: Figure, places: number): Decimal =>
  sum(
    lines.map(line => figure(line, name) ?? '0'),
    places,
  )

/** The header figures derived from the lines. */
export function figuresOf(lines: readonly Line[]): Record<string, unknown> {
  const counted = lines.filter(line => figure(line, 'counted_quantity') !== null)
  const same = counted.filter(line => line.direction === 'none')
  return {
    counted_lines: counted.length,
    gain_quantity: sumOf(
      lines.filter(line => line.direction === 'surplus'),
      'difference',
      3,
    ),
    loss_quantity: absolute(
      sumOf(
        lines.filter(line => line.direction === 'short'),
        'difference',
        3,
      ),
    ),
    difference_amount: add(sumOf(lines, 'difference_amount', 2), '0', 2),
    has_difference: same.length === counted.length ? '1' : '2',
    match_rate:
      lines.length === 0 ? '1.0000' : counted.length === 0 ? '0.0000' : (same.length / counted.length).toFixed(4),
  }
}

/** Writes the lines of a count and the header figures. */
export async function rewrite(
  tx: Tx,
  session: Session,
  doc: StoredDocument,
  lines: readonly StoredLine[],
  fields: Readonly<Record<string, unknown>>,
  recorded: Recorded = 'withAction',
): Promise<void> {
  await replaceLines(tx, session.org.id, stockTake, doc.id, lines)
  const total = totalsOfLines(lines)
  const last = lines.reduce((most, line) => Math.max(most, line.line_no), doc.last_line_no)
  await patchDocument(tx, session, doc, { ...total, last_line_no: last, ...fields }, recorded)
}
