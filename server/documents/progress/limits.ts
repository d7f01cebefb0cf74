import type { Purpose } from '#kernel/definition/progress.ts'
import {
  type Decimal,
  compare,
  isNegative,
  isPositive,
  isZero,
  multiply,
  negate,
  subtract,
  sum,
} from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { falseFirst } from '#kernel/values/order.ts'
import { divide, plain } from '#kernel/values/decimal.ts'
import { overDeliveryAllowed } from '#server/documents/progress/over-delivery.ts'
import type { ProgressEntry } from '#server/documents/progress/progress.ts'
import type { Tx } from '#server/database/transaction.ts'

/** A counted line: what was taken of it, and its total. */
export type LineProgress = {
  kind: string
  document_id: string
  line_no: number
  purpose: string
  taken: Decimal
  base_quantity: Decimal
  taxed_amount: Decimal
  /** The reversed quantity of the line, and its (negative) money. */
  reversed: Decimal
  red_amount: Decimal
  /** The quantity that was stopped (终止行). */
  stopped: Decimal
}

/** The quantities that other purposes took of the same remaining quantity, per line and purpose. */
export async function sharedProgress(
  tx: Tx,
  org: string,
  advances: readonly ProgressEntry[],
): Promise<Map<string, Decimal>> {
  const sharing = advances.filter(item => (item.beside?.length ?? 0) > 0)
  const sums = new Map<string, Decimal>()
  if (sharing.length === 0) return sums
  const rows = await tx<{ document_id: string; line_no: number; purpose: string; taken: Decimal }[]>`
    select document_id, line_no, purpose, taken from line_progress
      where org_id = ${org} and document_id = any(${[...new Set(sharing.map(item => item.document_id))]}::bigint[])
      and line_no > 0`
  for (const item of sharing) {
    const key = `${item.document_id}/${item.line_no}/${item.purpose}`
    sums.set(
      key,
      rows
        .filter(
          row =>
            row.document_id === item.document_id &&
            row.line_no === item.line_no &&
            item.beside!.includes(row.purpose as Purpose),
        )
        .reduce((total, row) => subtract(total, negate(row.taken), 3), '0.000'),
    )
  }
  return sums
}

/** The part of a line that was not reversed: its quantity, or its money. */
export const netOfReversals = (
  line: {
    readonly base_quantity: Decimal
    readonly taxed_amount: Decimal
    readonly reversed: Decimal
    readonly red_amount: Decimal
  },
  amount: boolean,
): Decimal => (amount ? sum([line.taxed_amount, line.red_amount], 2) : subtract(line.base_quantity, line.reversed, 3))

const isOf = (item: ProgressEntry, row: LineProgress): boolean =>
  item.document_id === row.document_id && item.line_no === row.line_no && item.purpose === row.purpose
const isUpward = (advances: readonly ProgressEntry[]): boolean => advances.every(item => item.exceeded === undefined)

/**
 * A line can never give more than it has, nor get back more than it gave; the message is the kind's own, with what
 * is left.
 */
export function checkLimits(
  rows: readonly LineProgress[],
  advances: readonly ProgressEntry[],
  beside: ReadonlyMap<string, Decimal>,
): void {
  const checked = rows.map(row => ({ row, mine: advances.filter(item => isOf(item, row)) }))
  // The document's own source is checked first, with its own message; upward progress after it.
  checked.sort((a, b) => falseFirst(isUpward(a.mine), isUpward(b.mine)))
  for (const { row, mine } of checked) {
    const amount = mine.some(item => item.measure === 'amount')
    const stopped = amount || mine.every(item => item.evenStopped) ? '0' : row.stopped
    const whole = withMore(subtract(netOfReversals(row, amount), stopped, 3), mine)
    const asked = sum(
      mine.map(item => item.quantity),
      3,
    )
    const own = sum(
      mine.flatMap(item => (item.waiting ? [] : [item.quantity])),
      3,
    )
    const eaten = sum([row.taken, beside.get(`${row.document_id}/${row.line_no}/${row.purpose}`) ?? '0'], 3)
    // A line with a negative quantity is counted in its own sign.
    const red = isNegative(row.base_quantity) || isNegative(row.taxed_amount)
    const signed = (value: Decimal) => (red ? negate(value) : value)
    if (isPositive(signed(asked)) && !mine.some(item => item.notified) && compare(signed(eaten), signed(whole)) > 0)
      throw tooMuch(
        row.line_no,
        subtract(whole, subtract(eaten, own, 3), amount ? 2 : 3),
        amount,
        isZero(stopped) ? mine[0]?.exceeded : `来源第${row.line_no}行已终止，数量不能大于未终止的剩余数量{n}`,
      )
    if (isNegative(signed(asked)) && isNegative(signed(row.taken)))
      throw new BusinessError(
        'sourceExceeded',
        `退回的${amount ? '金额' : '数量'}不能大于来源单第${row.line_no}行已执行的${amount ? '金额' : '数量'}`,
      )
  }
}

/** The quantity plus the permitted excess. */
const withMore = (whole: Decimal, mine: readonly ProgressEntry[]): Decimal => {
  const percent = mine.find(item => item.percent !== undefined)?.percent
  return percent === undefined ? whole : sum([whole, multiply(whole, divide(percent, '100', 4), 3)], 3)
}

/** The quantity by which a line's counted quantity exceeds its total. */
const beyond = (taken: Decimal, whole: Decimal): Decimal =>
  compare(taken, whole) > 0 ? subtract(taken, whole, 3) : '0.000'

/**
 * Excess on lines that may be exceeded does not count for the whole document: one line's excess would offset
 * another's shortage, and the document would be completed while goods are still to come.
 */
export async function excludeExcessFromTotal(
  tx: Tx,
  org: string,
  rows: readonly LineProgress[],
  advances: readonly ProgressEntry[],
): Promise<void> {
  const sums = new Map<string, { document_id: string; purpose: string; quantity: Decimal }>()
  for (const row of rows) {
    if (!overDeliveryAllowed().has(`${row.kind}.${row.purpose}`)) continue
    const asked = sum(
      advances.filter(item => isOf(item, row)).map(item => item.quantity),
      3,
    )
    const { document_id, purpose, taken, base_quantity } = row
    const more = subtract(beyond(taken, base_quantity), beyond(subtract(taken, asked, 3), base_quantity), 3)
    if (isZero(more)) continue
    const key = `${document_id}/${purpose}`
    sums.set(key, { document_id, purpose, quantity: sum([sums.get(key)?.quantity ?? '0', more], 3) })
  }
  if (sums.size === 0) return
  await tx`
    update line_progress g set taken = g.taken - k.quantity
      from jsonb_to_recordset(${tx.json([...sums.values()])}) as k(document_id bigint,
        purpose text, quantity numeric)
     where g.org_id = ${org} and g.document_id = k.document_id and g.line_no = 0 and g.purpose = k.purpose`
}

/** More is taken of a source line than is left of it. */
export class SourceExceeded extends BusinessError {
  readonly left: Decimal

  constructor(msg: string, problems: BusinessError['problems'], left: Decimal) {
    super('sourceExceeded', msg, problems)
    this.left = left
  }
}

function tooMuch(line: number, left: Decimal, amount: boolean, exceeded: string | undefined): SourceExceeded {
  const usual = amount ? '金额不能大于来源单剩余金额{n}' : '数量不能大于来源单剩余数量{n}'
  const rest = amount ? left : plain(left)
  const msg = `来源第${line}行剩余${amount ? '金额' : '数量'}${rest}`
  return new SourceExceeded(
    (exceeded ?? usual).replace('{n}', rest),
    [{ field: amount ? 'taxed_amount' : 'quantity', msg }],
    left,
  )
}
