import { grouped } from '#kernel/values/trimmed.ts'
import { absolute, compare, type Decimal, divide, isZero, round, subtract } from '#kernel/values/decimal.ts'

/** A figure that is read from six metres: its digits, and the unit in smaller letters beside them. */
export type BigNumber = { readonly digits: string; readonly unit: '' | '万' | '亿' }

const TEN_THOUSAND = '10000' as Decimal
const HUNDRED_MILLION = '100000000' as Decimal

/**
 * Below ten thousand a figure is said as it is, with so many places (amounts 2, pieces up to 3, counts 0); from there
 * on in 万, from a hundred million on in 亿, both with two.
 */
export function bigNumber(value: Decimal, places: number): BigNumber {
  const size = absolute(value)
  const thousands = divide(size, TEN_THOUSAND, 2)
  // A figure that would be rounded to 10000.00万 is shown in 亿.
  if (compare(size, HUNDRED_MILLION) >= 0 || compare(thousands, TEN_THOUSAND) >= 0)
    return { digits: grouped(divide(value, HUNDRED_MILLION, 2)), unit: '亿' }
  if (compare(size, TEN_THOUSAND) >= 0) return { digits: grouped(divide(value, TEN_THOUSAND, 2)), unit: '万' }
  return { digits: grouped(round(value, places)), unit: '' }
}

/** The sign in place of a missing value. */
export const NOTHING_TO_SAY = '—'

/** A part of a whole as a fraction; null where the whole is zero. */
export const shareOf = (part: Decimal, whole: Decimal): Decimal | null =>
  isZero(whole) ? null : divide(part, whole, 4)

/** A fraction as percent with two places: 0.6 is 60.00%. */
export const percent = (fraction: Decimal | null): string =>
  fraction === null ? NOTHING_TO_SAY : `${round(divide(fraction, '0.01' as Decimal, 4), 2)}%`

/** Fewer cases than this say nothing about how long something takes. */
const FEWEST_SAMPLES = 3

/** The middle of some hours with one place, of an even number the mean of both; null of fewer than three. */
export function median(hours: readonly Decimal[]): Decimal | null {
  if (hours.length < FEWEST_SAMPLES) return null
  const sorted = [...hours].toSorted(compare)
  const middle = Math.floor(sorted.length / 2)
  const [upper, lower] = [sorted[middle]!, sorted[sorted.length % 2 === 1 ? middle : middle - 1]!]
  return divide(
    subtract(upper, (lower.startsWith('-') ? lower.slice(1) : `-${lower}`) as Decimal, 8),
    '2' as Decimal,
    1,
  )
}
