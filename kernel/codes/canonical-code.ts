/** The one form of a code under which a piece is kept and looked for. */
import { canonicalUdi } from './encode.ts'
import { asPackCode } from './pack-code.ts'
import { parseCode } from './parse-code.ts'
import type { ParsedCode } from './parsed-code.ts'

export interface CanonicalCode {
  readonly bare: string
  readonly kind: 'udi' | 'inhouse'
}

/**
 * A serialised UDI in the form that all its carriers share, a pack code in capitals, other codes without what scanners
 * add.
 */
export const canonicalCode = (text: string, today: string): CanonicalCode =>
  canonicalOf(text, parseCode(text, { today }))

/**
 * The forms of a text that may name a piece: one, or that of each reading of a code without separators. What a person
 * typed alone, a serial or a code of ours, stands as it is.
 */
export function possibleCodes(text: string, today: string): readonly string[] {
  const parsed = parseCode(text, { today })
  const readings = parsed.ok ? (parsed.candidates ?? []) : []
  if (readings.length === 0) return [canonicalOf(text, parsed).bare]
  return [...new Set(readings.map(({ di, serial }) => (di && serial ? canonicalUdi(di, serial) : asPackCode(text))))]
}

/** The same of a code that was read already. */
export function canonicalOf(text: string, parsed: ParsedCode): CanonicalCode {
  if (parsed.ok && parsed.di && parsed.serial && !parsed.candidates)
    return { bare: canonicalUdi(parsed.di, parsed.serial), kind: 'udi' }
  const isPlain = parsed.ok && ['inhouse', 'gtin', 'document'].includes(parsed.kind)
  return { bare: asPackCode(isPlain ? parsed.text : text), kind: 'inhouse' }
}

/** The number of a document that a text is, in whatever case and width; else the text without its blanks. */
export function asDocumentSn(text: string): string {
  const read = parseCode(text.toUpperCase())
  return read.ok && read.kind === 'document' ? read.text : text.trim()
}
