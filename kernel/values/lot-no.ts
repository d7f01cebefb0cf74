import { halfWidth } from '#kernel/values/trimmed.ts'

/** Blanks and marks that nobody sees, of either width: a lot number has none. */
const BLANK = new Set(' \t\u00a0\u2007\u202f\u3000\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff')

/**
 * A lot number as GS1 writes it, however it was typed, pasted or scanned: without blanks, in narrow characters. Small
 * letters and capitals stay as they are: `ab12` and `AB12` are two lots.
 */
export const lotForm = (text: string): string => [...halfWidth(text)].filter(letter => !BLANK.has(letter)).join('')

/**
 * True if an older program would have stored this number in another form: in capitals. Only then may a lot be stored
 * under another number than this one (`known_lot` of the database).
 */
export const hasSmallLetters = (lotNo: string): boolean => /[a-z]/.test(lotNo)
