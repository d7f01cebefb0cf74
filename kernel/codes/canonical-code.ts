/** The one form of a code under which a piece is kept and looked for. */
import { canonicalUdi } from './encode.ts'
import { asPackCode } from './pack-code.ts'
import { parseCode } from './parse-code.ts'
import type { ParsedCode } from './parsed-code.ts'

export interface CanonicalCode {
  readonly bare: string
  readonly kind: 'udi' | 'inhouse'
}

/** A serialised UDI in the form that all its carriers share, a pack code in capitals, everything else as given. */
export const canonicalCode = (text: string, today: string): CanonicalCode =>
  canonicalOf(text, parseCode(text, { today }))

/** The same of a code that was read already. */
export function canonicalOf(text: string, parsed: ParsedCode): CanonicalCode {
  if (parsed.ok && parsed.di && parsed.serial && !parsed.candidates)
    return { bare: canonicalUdi(parsed.di, parsed.serial), kind: 'udi' }
  return { bare: asPackCode(text), kind: 'inhouse' }
}
