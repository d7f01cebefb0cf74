/**
 * A whole number that counts, addresses or sets something: lines, days, pages, versions, codes of a list. Not a
 * number (NaN) where the text says anything else. Money and goods are decimals and never come through here: "12.000"
 * is no whole number.
 */
export function parseInteger(value: unknown): number {
  if (typeof value === 'number') return Number.isInteger(value) ? value : Number.NaN
  if (typeof value === 'bigint') return Number(value)
  return typeof value === 'string' && /^\s*[+-]?\d{1,15}\s*$/.test(value) ? Number(value) : Number.NaN
}
