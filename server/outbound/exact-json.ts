import { withoutStart } from '#kernel/values/trimmed.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { isDecimal, type Decimal } from '#kernel/values/decimal.ts'

/**
 * JSON whose figures stay exact: read, each number becomes its own digits as a string; written, a decimal becomes a
 * number with just these digits. A price never passes through a floating point number.
 */
interface ExactJson {
  rawJSON(text: string): unknown
  parse(text: string, reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown
}
const json = JSON as unknown as ExactJson

export const parseExact = (text: string): unknown =>
  json.parse(text, (_key, value, { source }) => (typeof value === 'number' ? digitsOf(source ?? '') : value))

const POWER = /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?)0*(\d{1,2})$/

const withoutZeros = (digits: string): string =>
  withoutStart(digits.slice(0, -1), digit => digit === '0') + digits.slice(-1)

/** 1.5E3 is 1500: systems that count in floating point write so. */
function digitsOf(source: string): string {
  const [, sign = '', whole = '', part = '', below, power = ''] = POWER.exec(source) ?? []
  if (power === '') return source
  const places = parseInteger(power)
  const [left, right] =
    below === '-'
      ? [whole.padStart(places + 1, '0'), part]
      : [whole + part.slice(0, places).padEnd(places, '0'), part.slice(places)]
  const point = below === '-' ? left.length - places : left.length
  const rest = left.slice(point) + right
  return `${sign}${withoutZeros(left.slice(0, point))}${rest === '' ? '' : `.${rest}`}`
}

/** A decimal as the number it is in JSON. */
export function exactNumber(value: Decimal): number {
  if (!isDecimal(value)) throw new Error(`not a decimal: ${value}`)
  return json.rawJSON(value) as number
}
