const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2] as const
const CHECKS = '10X98765432'
const SHAPE = /^[1-9]\d{5}(18|19|20)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])\d{3}[\dX]$/

/** True if a text is the number of a resident's identity card: 18 characters, the last proves the others (GB 11643). */
export function isIdentityNumber(text: string): boolean {
  if (!SHAPE.test(text)) return false
  const total = WEIGHTS.reduce<number>((sum, weight, at) => sum + weight * (text.charCodeAt(at) - 48), 0)
  return CHECKS.charAt(total % 11) === text.charAt(17)
}

/** The number as it is printed: a person who knows it can recognise it, and nobody else learns it. */
export const maskedIdentity = (text: string): string =>
  text.length < 8 ? text : `${text.slice(0, 3)}${'*'.repeat(text.length - 7)}${text.slice(-4)}`
