import { add, compare, type Decimal, divide, isNegative, least, multiply, subtract } from '#kernel/values/decimal.ts'
import type { ReadLine } from '#modules/base/checks/read-invoice.ts'

/** A line of ours that may be invoiced, oldest first; quantities in base units. */
export type OpenLine = {
  readonly sn: string
  readonly line_no: number
  readonly specification_sn: string
  readonly product_name: string
  readonly specification_name: string
  readonly left: Decimal
  readonly tax_rate: number
}
export type ProposedLine = {
  readonly source_sn: string
  readonly source_line_no: number
  readonly quantity: Decimal
  readonly unit_inner_sn: string
  readonly price: Decimal
  readonly tax_rate: number
  readonly taxed_amount: Decimal
  readonly tax_amount: Decimal
}

const bare = (text: string | null): string => (text ?? '').replaceAll(/[\s（）()*]/g, '').toLowerCase()

/** True if our goods are those of the invoice: by the model, else by the name. */
function isOf(line: ReadLine, open: OpenLine): boolean {
  const [model, name] = [bare(line.item_model), bare(line.item_name)]
  const [ours, product] = [bare(open.specification_name), bare(open.product_name)]
  const named = name.includes(product) || product.includes(name)
  if (model !== '' && ours !== '') return (model === ours || model.endsWith(ours) || ours.endsWith(model)) && named
  return named
}

/** Lines after their discounts: one without quantity, below zero, is the discount of those goods on the line before. */
function afterDiscounts(lines: readonly ReadLine[]): readonly ReadLine[] {
  const net: ReadLine[] = []
  for (const line of lines) {
    const last = net.at(-1)
    const isOff = line.quantity === null && isNegative(line.untaxed_amount)
    if (isOff && last?.quantity && bare(last.item_name) === bare(line.item_name))
      net[net.length - 1] = {
        ...last,
        untaxed_amount: add(last.untaxed_amount, line.untaxed_amount, 2),
        tax_amount: add(last.tax_amount, line.tax_amount, 2),
      }
    else net.push(line)
  }
  return net
}

/**
 * Spreads the lines of an invoice over goods received and not invoiced yet, oldest first; its amounts are shared by
 * quantity, and the last part takes the rest. `left`: lines for which nothing, or not enough, was received.
 */
export function proposedLines(
  lines: readonly ReadLine[],
  open: readonly OpenLine[],
): { readonly lines: readonly ProposedLine[]; readonly left: readonly ReadLine[] } {
  const rest = new Map(open.map(line => [line, line.left]))
  const proposed: ProposedLine[] = []
  const unmatched: ReadLine[] = []
  for (const line of afterDiscounts(lines)) {
    if (line.quantity === null || compare(line.quantity, '0') <= 0) {
      unmatched.push(line)
      continue
    }
    const parts = takenFrom(line, open, rest)
    if (parts === null) unmatched.push(line)
    else proposed.push(...partsOf(line, parts))
  }
  return { lines: proposed, left: unmatched }
}

type Part = { readonly from: OpenLine; readonly quantity: Decimal }

/** Enough open lines for the whole quantity, or none: people decide about a part of a line. */
function takenFrom(line: ReadLine, open: readonly OpenLine[], rest: Map<OpenLine, Decimal>): readonly Part[] | null {
  let wanted = line.quantity!
  const parts: Part[] = []
  for (const from of open) {
    const left = rest.get(from)!
    if (compare(wanted, '0') <= 0) break
    if (compare(left, '0') <= 0 || !isOf(line, from)) continue
    const quantity = least(left, wanted)
    parts.push({ from, quantity })
    wanted = subtract(wanted, quantity, 3)
  }
  if (compare(wanted, '0') > 0) return null
  for (const { from, quantity } of parts) rest.set(from, subtract(rest.get(from)!, quantity, 3))
  return parts
}

function partsOf(line: ReadLine, parts: readonly Part[]): readonly ProposedLine[] {
  const whole = { taxed: add(line.untaxed_amount, line.tax_amount, 2), tax: line.tax_amount }
  const price = divide(whole.taxed, line.quantity!, 4)
  let given = { taxed: '0.00' as Decimal, tax: '0.00' as Decimal }
  return parts.map(({ from, quantity }, at): ProposedLine => {
    const isLast = at === parts.length - 1
    const share = (amount: Decimal, before: Decimal) =>
      isLast ? subtract(amount, before, 2) : divide(multiply(amount, quantity, 6), line.quantity!, 2)
    const mine = { taxed: share(whole.taxed, given.taxed), tax: share(whole.tax, given.tax) }
    given = { taxed: add(given.taxed, mine.taxed, 2), tax: add(given.tax, mine.tax, 2) }
    return {
      source_sn: from.sn,
      source_line_no: from.line_no,
      quantity,
      unit_inner_sn: from.specification_sn,
      price,
      tax_rate: line.tax_rate ?? from.tax_rate,
      taxed_amount: mine.taxed,
      tax_amount: mine.tax,
    }
  })
}
