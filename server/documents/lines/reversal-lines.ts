import { byName, type StoredLine } from '#server/documents/repository/document.ts'
import { quantityOfCodes } from '#kernel/codes/pack-code.ts'
import {
  compare,
  type Decimal,
  divide,
  isNegative,
  isPositive,
  isZero,
  multiply,
  negate,
  plain,
  round,
  share,
  subtract,
  sum,
} from '#kernel/values/decimal.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/documents/action/context.ts'
import { loadLines } from '#server/documents/repository/load.ts'
import type { Tx } from '#server/database/transaction.ts'
import { measureOfLine } from '#kernel/rules/line-measure.ts'

/** The part of one line that is reversed now. */
export type Part = {
  readonly line: StoredLine
  readonly quantity: Decimal
  readonly codes: readonly string[]
  /** Nothing of the line was reversed before, and nothing is left. */
  readonly whole: boolean
  /** Nothing is left: this part takes what earlier parts left of every amount. */
  readonly last: boolean
  /** The red lines of earlier reversals. */
  readonly before: readonly StoredLine[]
}
/** The quantity of each line that is already reversed or returned. */
export type Taken = ReadonlyMap<number, Decimal>

/** The existing reversal lines of a document, and their documents. */
export async function existingReversals(
  tx: Tx,
  org: string,
  document: string,
): Promise<{ ids: string[]; lines: StoredLine[] }> {
  const reds = await tx<
    { id: string }[]
  >`select id from document where org_id = ${org} and red_of_id = ${document} order by id`
  const ids = reds.map(red => red.id)
  const lines = await loadLines(tx, org, ids)
  return { ids, lines: [...lines.values()].flat() }
}

/** A part of a line that a call names. `quantity` is in the unit of the line. */
export type Asked = {
  readonly line_no: number
  readonly quantity?: Decimal | null
  readonly unit_codes?: readonly string[]
}

/** The parts that the caller wants to reverse: the lines that it names (`asked`), else everything left. */
export function reversalParts(
  { doc, definition }: ActionContext,
  asked: readonly Asked[] | null,
  taken: Taken,
  reds: readonly StoredLine[],
): Part[] {
  // Money is reversed in full: a partial payment would be another payment.
  if (definition.lineRules.basis === 'amount')
    return doc.lines.map(line => ({
      line,
      quantity: line.base_quantity,
      codes: [],
      whole: true,
      last: true,
      before: [],
    }))
  const chosen: readonly Asked[] = asked ?? doc.lines.map(({ line_no }) => ({ line_no }))
  const repeated = chosen.find((row, at) => chosen.findIndex(other => other.line_no === row.line_no) !== at)
  if (repeated) throw new BusinessError('invalid', `第${repeated.line_no}行在红冲明细中重复`)
  return chosen.flatMap(row => {
    const line = doc.lines.find(candidate => candidate.line_no === row.line_no)
    if (!line) throw new BusinessError('invalid', `没有第${row.line_no}行，请核对红冲明细`)
    const left = subtract(line.base_quantity, taken.get(line.line_no) ?? '0', 3)
    if (!asked && isZero(left)) return []
    if (isZero(left)) throw new BusinessError('sourceExceeded', `第${line.line_no}行已全部红冲或退货`)
    // A line with a negative quantity is reversed in full.
    if (isNegative(line.base_quantity))
      return [{ line, quantity: left, codes: line.unit_codes, whole: true, last: true, before: [] }]
    return [
      partOf(
        line,
        row,
        left,
        reds.filter(red => red.line_no === line.line_no),
      ),
    ]
  })
}

function partOf(
  line: StoredLine,
  { quantity: wanted = null, unit_codes: asked = [] }: Asked,
  left: Decimal,
  before: readonly StoredLine[],
): Part {
  const gone = new Set(before.flatMap(red => red.unit_codes))
  const standing = line.unit_codes.filter(code => !gone.has(code))
  const outsider = asked.find(code => !standing.includes(code))
  if (outsider)
    throw new BusinessError(
      'unitNotHere',
      gone.has(outsider) ? `院内码${outsider}已红冲` : `院内码${outsider}不在第${line.line_no}行中，请核对后重新扫描`,
    )
  const codes = [...new Set(asked)]
  const measure = measureOfLine(line)
  const named = wanted === null ? null : multiply(wanted, measure, 3)
  const quantity = round(named ?? (codes.length > 0 ? quantityOfCodes(line, codes) : left), 3)
  if (!isPositive(quantity)) throw new BusinessError('invalid', `第${line.line_no}行：红冲数量必须大于0`)
  if (compare(quantity, left) > 0)
    throw new BusinessError(
      'sourceExceeded',
      `第${line.line_no}行：红冲数量不能大于可红冲数量${plain(divide(left, measure, 3))}`,
    )
  const last = compare(quantity, left) === 0
  if (
    line.unit_codes.length > 0 &&
    compare(quantity, quantityOfCodes(line, codes)) !== 0 &&
    !(last && codes.length === 0 && compare(quantity, quantityOfCodes(line, standing)) === 0)
  )
    throw new BusinessError('rule', `第${line.line_no}行：请指明要红冲的院内码`)
  return {
    line,
    quantity,
    codes: codes.length > 0 ? codes : standing,
    whole: compare(quantity, line.base_quantity) === 0,
    last,
    before,
  }
}

/** The part's share of an amount; the last part takes what is left, so that parts always sum to the whole. */
function shareOf(part: Part, name: 'taxed_amount' | 'untaxed_amount'): Decimal {
  const amount = part.line[name]
  if (part.whole) return negate(amount)
  if (!part.last || !reversedOnly(part)) return negate(share(amount, part.quantity, part.line.base_quantity, 2))
  return negate(sum([amount, ...part.before.map(red => red[name])], 2))
}
/** True if only reversals took from the line: a return took its own share. */
export const reversedOnly = (part: Part): boolean =>
  compare(sum([part.quantity, ...part.before.map(red => negate(red.base_quantity))], 3), part.line.base_quantity) === 0

/** The red lines of a document; money of own fields that counts besides their amounts is negative as well. */
export function reversalLines({ sourcing }: AnyDocument, parts: readonly Part[]): StoredLine[] {
  const besides = new Set((sourcing.sources ?? []).flatMap(({ alsoAmount }) => (alsoAmount ? [alsoAmount] : [])))
  return parts.map(part => ({
    ...reversalLine(part),
    ...Object.fromEntries(
      [...besides].flatMap(name => {
        const amount = byName(part.line)[name] as Decimal | null | undefined
        return amount ? [[name, negate(amount)]] : []
      }),
    ),
  }))
}

function reversalLine(part: Part): StoredLine {
  const { line, quantity, codes, whole } = part
  const taxed = shareOf(part, 'taxed_amount')
  const untaxed = shareOf(part, 'untaxed_amount')
  return {
    ...line,
    unit_codes: codes,
    unit_inner_sn: whole ? line.unit_inner_sn : null,
    quantity: negate(whole ? line.quantity : quantity),
    base_quantity: negate(quantity),
    price: whole ? line.price : share(line.price, line.quantity, line.base_quantity, 4),
    taxed_amount: taxed,
    untaxed_amount: untaxed,
    tax_amount: subtract(taxed, untaxed, 2),
  }
}

/**
 * The lines that remain once these red lines are written: the other side's copy was withdrawn whole, and this rest is
 * sent instead.
 */
export function remainingLines(lines: readonly StoredLine[], reds: readonly StoredLine[], taken: Taken): StoredLine[] {
  return lines.flatMap(line => {
    const gone = reds.filter(red => red.line_no === line.line_no)
    const left = subtract(line.base_quantity, taken.get(line.line_no) ?? '0', 3)
    if (isZero(left)) return []
    if (gone.length === 0) return [line]
    const codes = new Set(gone.flatMap(red => red.unit_codes))
    const rest = (name: 'taxed_amount' | 'untaxed_amount' | 'tax_amount') =>
      sum([line[name], ...gone.map(red => red[name])], 2)
    return [
      {
        ...line,
        unit_codes: line.unit_codes.filter(code => !codes.has(code)),
        unit_inner_sn: null,
        quantity: left,
        base_quantity: left,
        price: share(line.price, line.quantity, line.base_quantity, 4),
        taxed_amount: rest('taxed_amount'),
        untaxed_amount: rest('untaxed_amount'),
        tax_amount: rest('tax_amount'),
      },
    ]
  })
}
