import { documentOf } from '#kernel/registry.ts'
import { type Day, dayOf, isExpired, today } from '#kernel/values/date.ts'

/** A document as far as the shelf life of its goods goes: its kind, its date, its own fields. */
type Dated = { readonly kind?: string; readonly business_date: Day }

const later = (a: Day, b: Day): Day => (a > b ? a : b)

/**
 * The day by which the goods of a document are expired: its date, or today where that is later, so that an earlier
 * date makes nothing younger. A late record of what was done already is judged by the moment when it was done
 * (`compliance.happenedAt`).
 */
export function shelfLifeDay(doc: Dated, kind = doc.kind): Day {
  const field = kind === undefined ? undefined : documentOf(kind)?.compliance.happenedAt
  const moment = field === undefined ? null : (doc as Readonly<Record<string, unknown>>)[field]
  return typeof moment === 'string' && moment !== '' ? dayOf(new Date(moment)) : later(doc.business_date, today())
}

/** Goods past their last good day. */
export const isPastUse = (line: { readonly expiry_date: Day | null }, doc: Dated): boolean =>
  isExpired(line.expiry_date, shelfLifeDay(doc))
