import type { CommonLine } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import type { Account, Entry } from '#kernel/ledger/posting.ts'
import { type Decimal, isZero, negate, sum } from '#kernel/values/decimal.ts'
import { moneyLines } from '#modules/finance/payments/payments.ts'
import type { Figures } from '#modules/base/vocabulary/validators.ts'

/** The field of a line with its allowance: it settles like money, but is not paid. */
export const ALLOWANCE = 'allowance_amount'

/** Lines of money with 折让. */
export const allowedLines = (amount: string) =>
  ({
    ...moneyLines(amount),
    allowance_amount: f.amount('折让金额', { min: '0', hint: '随本次核销结清、不再收付的部分' }),
  }) as const

/** The allowances of all lines together. */
export const allowanceField = {
  allowance_amount: f.amount('折让合计', { readOnly: true }),
} as const

export const allowanceOf = (line: object & Partial<Figures<typeof ALLOWANCE>>): Decimal => line[ALLOWANCE] ?? '0'

type Allowed = CommonLine & Figures<typeof ALLOWANCE>

/** An allowance may only be given on a debt: `named` are the documents that a line settles. */
export const allowedOnSettled =
  (named: string) =>
  (doc: { readonly lines: readonly Allowed[] }): true | string => {
    const bare = doc.lines.find(line => line.source_line_no === null && !isZero(allowanceOf(line)))
    return !bare || `第${bare.line_no}行：折让只能用于核销${named}的行`
  }

/**
 * A line of money settles its amount and its allowance. The allowance is a loss to the party that grants it and a gain
 * to the other.
 */
export const settledWithAllowance = (
  line: Allowed,
  account: Extract<Account, 'payable_invoiced' | 'receivable_invoiced'>,
): Entry[] => {
  const { line_no, taxed_amount } = line
  const off = allowanceOf(line)
  const settled: Entry = { line_no, account, amount: negate(sum([taxed_amount, off], 2)) }
  if (isZero(off)) return [settled]
  return [settled, { line_no, account: 'allowance', amount: account === 'payable_invoiced' ? negate(off) : off }]
}
