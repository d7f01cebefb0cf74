const ALPHABET = '0123456789ABCDEFGHJKLMNPQRTUWXY'
const WEIGHTS = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28] as const

/**
 * True if the last character of a unified social credit code is right by GB 32100-2015. Only a hint: real files
 * contain wrong ones.
 */
export function isCheckedCreditCode(code: string): boolean {
  const values = [...code.toUpperCase()].map(letter => ALPHABET.indexOf(letter))
  if (values.length !== 18 || values.includes(-1)) return false
  const sum = WEIGHTS.reduce((total, weight, at) => total + weight * (values[at] ?? 0), 0)
  return (31 - (sum % 31)) % 31 === values[17]
}
