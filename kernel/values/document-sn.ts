/** Numbers of our own documents, printed as bar codes on their sheets: prefix, day, running number. */
import { withoutEnd } from '#kernel/values/trimmed.ts'
import { isDay } from '#kernel/values/date.ts'

export const DOCUMENT_SN_PATTERN = /^[A-Z]{2,5}\d{6}\d{4,}$/

export interface DocumentSn {
  readonly prefix: string
  /** YYYY-MM-DD, or null when the six digits are not a valid day. */
  readonly day: string | null
  readonly sequence: string
}

/** Splits a document number, or null when `text` is not one. */
export function documentSn(text: string): DocumentSn | null {
  if (!DOCUMENT_SN_PATTERN.test(text)) return null
  const prefix = withoutEnd(text, character => /\d/.test(character))
  const digits = text.slice(prefix.length)
  const day = `20${digits.slice(0, 2)}-${digits.slice(2, 4)}-${digits.slice(4, 6)}`
  return { prefix, day: isDay(day) ? day : null, sequence: digits.slice(6) }
}
