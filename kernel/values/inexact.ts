/**
 * A measure that may be rounded by the machine, because it is neither money nor goods: degrees, grams on a scale,
 * pixels, the length of a bar in a drawing. Nothing of it is ever stored as money or goods, or judged against them.
 */
export const inexact = (value: string | number | null | undefined): number =>
  typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value ?? Number.NaN)

/** A length as the browser computes it: "12.5px". */
export const pixels = (length: string): number => Number.parseFloat(length)
