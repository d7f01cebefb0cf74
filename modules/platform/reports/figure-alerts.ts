import type { Alert } from '#kernel/definition/report.ts'
import { compare, isDecimal, isPositive, isZero } from '#kernel/values/decimal.ts'

/** A figure that should be zero, and is wrong where it is not. */
export const unlessZero =
  (name: string): Alert =>
  row => {
    const value = String(row[name] ?? '')
    return isDecimal(value) && !isZero(value) ? 'danger' : null
  }

/** A figure above the first bound needs attention, above the second it is too much. */
export const above =
  (name: string, warns: string, tooMuch: string): Alert =>
  row => {
    const value = String(row[name] ?? '')
    if (!isDecimal(value)) return null
    if (compare(value, tooMuch) > 0) return 'danger'
    return compare(value, warns) > 0 ? 'warning' : null
  }

/** A figure of which a part is estimated, as the other column says. */
export const estimatedBy =
  (name: string): Alert =>
  row => {
    const value = String(row[name] ?? '')
    return isDecimal(value) && isPositive(value) ? 'estimated' : null
  }
