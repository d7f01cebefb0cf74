import { withoutEnd } from '#kernel/values/trimmed.ts'

/**
 * Exact decimals. Quantities carry 3 places, prices 4, amounts 2, costs 6; none is ever a JavaScript number. Values
 * travel as plain strings ("12.500"); inside a computation they are bigints scaled by 10^8.
 */
export type Decimal = string & { readonly __decimal?: true }

const PLACES = 8
const ONE = 10n ** BigInt(PLACES)
const SHAPE = /^(-?)(\d{1,18})(?:\.(\d{1,8}))?$/

/** Places of each kind of figure on the wire and in the database. */
export const places = { quantity: 3, price: 4, amount: 2, cost: 6 } as const

/** True if a string is a decimal with at most `max` places. */
export function isDecimal(text: unknown, max = PLACES): text is Decimal {
  if (typeof text !== 'string') return false
  const match = SHAPE.exec(text)
  return match !== null && (match[3]?.length ?? 0) <= max
}

function parse(value: Decimal): bigint {
  const match = SHAPE.exec(value)
  if (!match) throw new Error(`not a decimal: ${value}`)
  const scaled = BigInt(match[2] ?? '0') * ONE + BigInt((match[3] ?? '').padEnd(PLACES, '0'))
  return match[1] ? -scaled : scaled
}

/** Half up on the absolute value: a red line is the exact negative of its original. */
function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n !== denominator < 0n
  const n = numerator < 0n ? -numerator : numerator
  const d = denominator < 0n ? -denominator : denominator
  const quotient = (n + d / 2n) / d
  return negative ? -quotient : quotient
}

function format(scaled: bigint, to: number): Decimal {
  const unit = 10n ** BigInt(PLACES - to)
  const rounded = divideRounded(scaled, unit)
  const digits = (rounded < 0n ? -rounded : rounded).toString().padStart(to + 1, '0')
  const whole = digits.slice(0, digits.length - to)
  return `${rounded < 0n ? '-' : ''}${whole}${to > 0 ? `.${digits.slice(-to)}` : ''}` as Decimal
}

export const zero = '0' as Decimal

/** `value` written with exactly `to` places, half up on the absolute value. */
export const round = (value: Decimal, to: number): Decimal => format(parse(value), to)

export const sum = (values: Iterable<Decimal>, to: number): Decimal => {
  let total = 0n
  for (const value of values) total += parse(value)
  return format(total, to)
}

export const add = (a: Decimal, b: Decimal, to: number): Decimal => format(parse(a) + parse(b), to)
export const subtract = (a: Decimal, b: Decimal, to: number): Decimal => format(parse(a) - parse(b), to)
export const multiply = (a: Decimal, b: Decimal, to: number): Decimal =>
  format(divideRounded(parse(a) * parse(b), ONE), to)
export const divide = (a: Decimal, b: Decimal, to: number): Decimal =>
  format(divideRounded(parse(a) * ONE, parse(b)), to)
export const negate = (value: Decimal): Decimal =>
  (value.startsWith('-') ? value.slice(1) : isZero(value) ? value : `-${value}`) as Decimal
export const isZero = (value: Decimal): boolean => parse(value) === 0n
export const isNegative = (value: Decimal): boolean => parse(value) < 0n
export const isPositive = (value: Decimal): boolean => parse(value) > 0n
export const compare = (a: Decimal, b: Decimal): number => {
  const difference = parse(a) - parse(b)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}
/** The smallest of some; of equal ones the first. */
export const least = (first: Decimal, ...others: readonly Decimal[]): Decimal =>
  others.reduce((smallest, one) => (compare(one, smallest) < 0 ? one : smallest), first)
/** `part/whole` of `value`; for the last part the caller uses the remainder instead (so that sums match). */
export const share = (value: Decimal, part: Decimal, whole: Decimal, to: number): Decimal =>
  format(divideRounded(parse(value) * parse(part), parse(whole)), to)
/** Absolute value. */
export const absolute = (value: Decimal): Decimal => (value.startsWith('-') ? value.slice(1) : value) as Decimal
/** Drops trailing zeros for reading: "12.500" → "12.5". */
export const plain = (value: Decimal): string => {
  if (!value.includes('.')) return value
  const short = withoutEnd(value, digit => digit === '0')
  return short.endsWith('.') ? short.slice(0, -1) : short
}
/** The number of whole pieces in a quantity: codes and labels belong to pieces, which are counted, not measured. */
export const wholePieces = (value: Decimal): number => Number(parse(value) / ONE)
/** The number of times that a quantity contains a size; null where it is no multiple of the size. */
export function timesIn(quantity: Decimal, size: Decimal): number | null {
  const count = wholePieces(divide(quantity, size, 6))
  return compare(multiply(size, String(count), 3), quantity) === 0 ? count : null
}
/** True if a quantity is just so many pieces. */
export const isCount = (value: Decimal, count: number): boolean => compare(value, String(count)) === 0
