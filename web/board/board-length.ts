import type { Decimal } from '#kernel/values/decimal.ts'

/** The figure of a length in a picture, to show it as text. */
export const toDecimal = (length: number): Decimal => length.toFixed(4) as Decimal
