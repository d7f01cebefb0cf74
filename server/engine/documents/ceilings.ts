import type { Purpose } from '#kernel/document.ts'
import { type Decimal, compare, isNegative, isZero, negate, share, subtract } from '#kernel/decimal.ts'
import { Refusal } from '#kernel/refusal.ts'
import type { Advance } from '#server/engine/documents/progress.ts'
import type { Tx } from '#server/engine/transaction.ts'

/** A counted line: what was taken of it, and what it has. */
export type Progress = {
  document_id: string
  line_no: number
  purpose: string
  taken: Decimal
  base_quantity: Decimal
  taxed_amount: Decimal
  /** What of the line was mirrored in red, in the line's own measure. */
  reversed: Decimal
}

/** What other purposes took that eat from the same rest, per line and purpose. */
export async function besideTaken(tx: Tx, org: string, advances: readonly Advance[]): Promise<Map<string, Decimal>> {
  const sharing = advances.filter(item => (item.beside?.length ?? 0) > 0)
  const sums = new Map<string, Decimal>()
  if (sharing.length === 0) return sums
  const rows = await tx<{ document_id: string; line_no: number; purpose: string; taken: Decimal }[]>`
    select document_id, line_no, purpose, taken from line_progress where org_id = ${org} and document_id = any(${[...new Set(sharing.map(item => item.document_id))]}::bigint[]) and line_no > 0`
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

/** What of a line was not mirrored in red: its quantity, or the money of it. */
export function standing(
  line: { readonly base_quantity: Decimal; readonly taxed_amount: Decimal; readonly reversed: Decimal },
  amount: boolean,
): Decimal {
  if (!amount) return subtract(line.base_quantity, line.reversed, 3)
  if (isZero(line.base_quantity)) return subtract(line.taxed_amount, line.reversed, 2)
  return share(line.taxed_amount, subtract(line.base_quantity, line.reversed, 3), line.base_quantity, 2)
}

/** A line can never give more than it has; the sentence is the kind's own, with what is left. */
export function refuseExceeded(
  rows: readonly Progress[],
  advances: readonly Advance[],
  beside: ReadonlyMap<string, Decimal>,
): void {
  const measures = new Map(advances.map(item => [`${item.document_id}/${item.purpose}`, item.measure]))
  for (const row of rows) {
    const amount = measures.get(`${row.document_id}/${row.purpose}`) === 'amount'
    const whole = standing(row, amount)
    // A red line is taken with its own sign; only goods and money in black can be exceeded.
    const taken = subtract(row.taken, negate(beside.get(`${row.document_id}/${row.line_no}/${row.purpose}`) ?? '0'), 3)
    if (isNegative(whole) || compare(taken, whole) <= 0) continue
    const mine = advances.filter(
      item => item.document_id === row.document_id && item.line_no === row.line_no && item.purpose === row.purpose,
    )
    const asked = mine.reduce((total, item) => subtract(total, negate(item.quantity), 3), '0.000')
    const left = subtract(whole, subtract(taken, asked, 3), amount ? 2 : 3)
    const usual = amount ? '金额不能大于来源单剩余金额{n}' : '数量不能大于来源单剩余数量{n}'
    throw new Refusal(
      'sourceExceeded',
      (mine[0]?.exceeded ?? usual).replace('{n}', amount ? left : String(Number(left))),
      [
        {
          field: amount ? 'taxed_amount' : 'quantity',
          msg: amount ? `来源第${row.line_no}行剩余金额${left}` : `来源第${row.line_no}行剩余数量${Number(left)}`,
        },
      ],
    )
  }
}
