/** The device identifier of goods: the part of a code that names the product, in the one form it is stored in. */
import { padGtin } from './check-digit.ts'
import { hibcCheckCharacter, isHibcDi } from './hibc-code.ts'

/** The issuers of identifiers of a system: GS1, ZIIOT (MA codes), or EHIBCC and HIBCC. */
export type DiIssuer = 'gs1' | 'ma' | 'hibc'

export interface DeviceIdentifier {
  /** 14 digits, five dotted segments, or `+` to the unit of measure. */
  readonly di: string
  readonly issuer: DiIssuer
}

/**
 * Reads an identifier as people and catalogues write it: a GTIN of 8, 12, 13 or 14 digits, an MA code of five
 * segments, an HIBC primary code with or without its check character. Null for anything else.
 */
export function deviceIdentifier(text: string): DeviceIdentifier | null {
  const gtin = padGtin(text)
  if (gtin !== null) return { di: gtin, issuer: 'gs1' }
  if (/^MA(?:\.[^.]+){4}$/.test(text)) return { di: text, issuer: 'ma' }
  const body = text.slice(0, -1)
  if (isHibcDi(body) && hibcCheckCharacter(body) === text.slice(-1)) return { di: body, issuer: 'hibc' }
  return isHibcDi(text) ? { di: text, issuer: 'hibc' } : null
}
