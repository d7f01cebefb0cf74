import { halfWidth } from '#kernel/values/trimmed.ts'
import { type Decimal, divide, multiply, round } from '#kernel/values/decimal.ts'

/** Codes of fixed-quantity packs: the letters, the day, a running number. Unique within their hospital. */
const PACK_CODE = /^DSB\d{6}\d{4,}(-\d{1,3})?$/

/** The pack code that a text is, in whatever case and width it was typed; any other text as it is. */
export function asPackCode(text: string): string {
  const typed = halfWidth(text).trim().toUpperCase()
  return isPackCode(typed) ? typed : text
}

export const isPackCode = (code: string): boolean => PACK_CODE.test(code)

/** A combined pack holds several lots: each has a code of its own, that of the pack and a number. */
export const partCode = (pack: string, number: number): string => `${pack}-${number}`
export const isPartCode = (code: string): boolean => isPackCode(code) && code.includes('-')
/** The code that is printed on the pack. */
export const packOf = (code: string): string => (isPackCode(code) ? code.replace(/-\d+$/, '') : code)

/** The number in each pack at which a line's parts begin: loose goods are one part, coded ones a part a piece. */
export function partNumbers(
  lines: readonly { readonly unit_codes: readonly string[] }[],
  packs: number,
): readonly number[] {
  let next = 1
  return lines.map(({ unit_codes: codes }) => {
    const first = next
    next += codes.some(code => !isPackCode(code)) ? Math.ceil(codes.length / packs) : 1
    return first
  })
}

/** The code of a pack: `day` as yyMMdd, the number of the day from 1. */
export const packCode = (day: string, number: number): string => `DSB${day}${String(number).padStart(4, '0')}`

type Coded = { readonly unit_codes: readonly string[]; readonly coded_quantity?: Decimal | null }

/** The base units of a line's codes: one each, or the contents of its packs. */
export const codedQuantity = (line: Coded): Decimal => line.coded_quantity ?? String(line.unit_codes.length)

/**
 * The base units of some of a line's codes. The packs of one line hold the same number: scanned packs with another
 * number become a line of their own.
 */
export function quantityOfCodes(line: Coded, codes: readonly string[]): Decimal {
  if (line.unit_codes.length === 0 || (line.coded_quantity ?? null) === null) return `${codes.length}.000`
  return round(multiply(divide(codedQuantity(line), String(line.unit_codes.length), 6), String(codes.length), 6), 3)
}
