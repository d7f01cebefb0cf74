import { absolute, add, compare, type Decimal, divide, isZero, multiply, subtract } from '#kernel/values/decimal.ts'

/** A line to be spread over invoices; `price` with tax. */
export type SplitLine = {
  readonly line_no: number
  readonly quantity: Decimal
  readonly price: Decimal
  readonly taxed_amount: Decimal
}
export type SplitPart = { readonly line_no: number; readonly quantity: Decimal; readonly isWhole: boolean }

/** Part of a line that is counted in whole pieces consists of whole pieces. */
const wholes = (quantity: Decimal, of: Decimal): Decimal =>
  /^-?\d+(\.0+)?$/.test(of) ? `${quantity.split('.')[0]}.000` : quantity

/**
 * Splits lines over invoices of at most `limit` yuan (0: no limit) and `most` lines: by whole lines first, and a line
 * above the limit by its quantity. Null if a single piece is above the limit.
 */
export function splitLines(lines: readonly SplitLine[], limit: Decimal, most: number): SplitPart[][] | null {
  const invoices: SplitPart[][] = [[]]
  let room = limit
  const next = () => {
    invoices.push([])
    room = limit
  }
  const place = (part: SplitPart, amount: Decimal) => {
    invoices.at(-1)!.push(part)
    room = subtract(room, amount, 2)
  }
  for (const line of lines) {
    let left = line.quantity
    let rest = absolute(line.taxed_amount)
    while (compare(absolute(left), '0') > 0) {
      if (invoices.at(-1)!.length >= most) next()
      if (isZero(limit) || compare(rest, room) <= 0) {
        place({ line_no: line.line_no, quantity: left, isWhole: compare(left, line.quantity) === 0 }, rest)
        break
      }
      // A line that fits an invoice of its own is not cut.
      if (invoices.at(-1)!.length > 0 && compare(rest, limit) <= 0) {
        next()
        continue
      }
      const quantity = isZero(line.price) ? '0' : wholes(divideDown(room, line.price), line.quantity)
      if (compare(quantity, '0') <= 0) {
        if (invoices.at(-1)!.length === 0) return null
        next()
        continue
      }
      const amount = multiply(quantity, line.price, 2)
      place({ line_no: line.line_no, quantity, isWhole: false }, amount)
      left = subtract(left, quantity, 3)
      rest = subtract(rest, amount, 2)
      next()
    }
  }
  return invoices.filter(parts => parts.length > 0)
}

/** How much of a price fits into an amount, rounded down to three places. */
function divideDown(amount: Decimal, price: Decimal): Decimal {
  const near = divide(amount, price, 3)
  return compare(multiply(near, price, 6), amount) > 0 ? add(near, '-0.001', 3) : near
}
