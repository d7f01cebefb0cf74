/** The modulo-10 check digit shared by GTIN-8/12/13/14, GLN, SSCC and GSRN, and the one stored form of a GTIN. */

const GTIN_LENGTHS: ReadonlySet<number> = new Set([8, 12, 13, 14])

/** The check digit for `body` (the number without its check digit), or null when `body` is not digits. */
export function gtinCheckDigit(body: string): string | null {
  if (!/^\d+$/.test(body)) return null
  let sum = 0
  for (let fromRight = 0; fromRight < body.length; fromRight += 1) {
    const digit = body.charCodeAt(body.length - 1 - fromRight) - 48
    sum += fromRight % 2 === 0 ? digit * 3 : digit
  }
  return String((10 - (sum % 10)) % 10)
}

/** True when the last digit of `digits` is the check digit of the others. */
export function hasCheckDigit(digits: string): boolean {
  return digits.length > 1 && gtinCheckDigit(digits.slice(0, -1)) === digits.slice(-1)
}

/** True for 8, 12, 13 or 14 digits with the right check digit; all zeros is not a product. */
export function isGtin(digits: string): boolean {
  return GTIN_LENGTHS.has(digits.length) && /[1-9]/.test(digits) && hasCheckDigit(digits)
}

/** The 14-digit form in which GTINs are stored and compared, or null when `gtin` is not a valid GTIN. */
export function padGtin(gtin: string): string | null {
  return isGtin(gtin) ? gtin.padStart(14, '0') : null
}
