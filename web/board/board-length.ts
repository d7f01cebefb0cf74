import type { Decimal } from '#kernel/values/decimal.ts'

/** A length of a picture as the figure it was made from, to say it again. */
export const toDecimal = (length: number): Decimal => length.toFixed(4) as Decimal
