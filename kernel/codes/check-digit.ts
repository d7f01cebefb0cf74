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

/** The 82 characters of GS1 text in the order of their weights, and the 32 that a check character pair is made of. */
const TEXT_82 = `!"%&'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz`
const PAIR_32 = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
/** Weights from the right. */
const PRIMES = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83]

/**
 * The two check characters of a model number (8013) or an individualised device (8014), modulo 1021, or null when
 * `body` has another character than the 82 or more than 23. Source: GS1 General Specifications, section 7.9.5.
 */
export function gs1CheckPair(body: string): string | null {
  const values = [...body].reverse().map(letter => TEXT_82.indexOf(letter))
  if (values.length === 0 || values.length > PRIMES.length || values.includes(-1)) return null
  const sum = values.reduce((total, value, fromRight) => total + value * (PRIMES[fromRight] ?? 0), 0) % 1021
  return PAIR_32.charAt(sum >> 5) + PAIR_32.charAt(sum & 31)
}

/** True when the last two characters are the check pair of the others. */
export function hasCheckPair(value: string): boolean {
  return value.length > 2 && gs1CheckPair(value.slice(0, -2)) === value.slice(-2)
}
