/** Codes that arrive as one text: pasted, in a cell of a workbook, or in a field of a form. */
import { isPackCode } from './pack-code.ts'
import { parseCode } from './parse-code.ts'

/** Separators that GS1 allows within a serial as well, and their full-width forms. */
const MARKS = /[,，;；]/
const GAPS = /[\s\u3000]+/

/** True if a standard, or the form of our packs, says that this is one code and whole. */
function isOneCode(text: string): boolean {
  const read = parseCode(text)
  return isPackCode(text.toUpperCase()) || (read.ok && read.di !== null && read.candidates === undefined)
}

/** The codes of a text, or what nobody can decide about it. */
export type CodeList = { readonly codes: readonly string[] } | { readonly undecided: string }

/**
 * Splits a text into codes. Blanks, tabs and ends of lines always separate. A comma or a semicolon may stand within a
 * serial: what is one whole code with it stays one. Where each part is a whole code as well, nobody knows which is
 * meant.
 */
export function codesOfText(text: string): CodeList {
  const codes: string[] = []
  for (const piece of text.split(GAPS).filter(Boolean)) {
    const parts = piece.split(MARKS).filter(Boolean)
    if (parts.length < 2 || !isOneCode(piece)) codes.push(...parts)
    else if (parts.every(isOneCode)) return { undecided: piece }
    else codes.push(piece)
  }
  return { codes }
}
