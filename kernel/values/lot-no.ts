/** Blanks and marks that nobody sees, of either width: a lot number has none. */
const BLANK = ' \t\u00a0\u2007\u202f\u3000\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff'
const LOWER = 'abcdefghijklmnopqrstuvwxyz'
/** The full-width forms of the printable characters of ASCII, in its order. */
const WIDE_FIRST = 0xff01
const ASCII_FIRST = 0x21

const forms: ReadonlyMap<string, string> = new Map([
  ...[...BLANK].map(blank => [blank, ''] as const),
  ...[...LOWER].map(letter => [letter, letter.toUpperCase()] as const),
  ...Array.from({ length: 94 }, (_, at) => {
    const narrow = String.fromCharCode(ASCII_FIRST + at)
    return [String.fromCharCode(WIDE_FIRST + at), LOWER.includes(narrow) ? narrow.toUpperCase() : narrow] as const
  }),
])

/**
 * The one form of a lot number, however it was typed, pasted or scanned: without blanks, in narrow characters, in
 * capitals. `lot_form` of the database is the same function.
 */
export const lotForm = (text: string): string => [...text].map(letter => forms.get(letter) ?? letter).join('')
