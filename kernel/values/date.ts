import { parseInteger } from '#kernel/values/integer.ts'
/** A calendar day in Asia/Shanghai, `YYYY-MM-DD`. */
export type Day = string & { readonly __day?: true }

const SHAPE = /^(\d{4})-(\d{2})-(\d{2})$/
const shanghai = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Shanghai',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

const shanghaiMinute = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Shanghai',
  dateStyle: 'short',
  timeStyle: 'short',
})
/** An instant in local notation: 2026-11-21 15:12. */
export const minuteOf = (instant: Date): string => shanghaiMinute.format(instant)

/** The day in Asia/Shanghai at an instant. The database runs in UTC: no rule may ask it for the day. */
export const dayOf = (instant: Date): Day => shanghai.format(instant) as Day

/**
 * The one clock of the program: tests and the demo's simulation set it; all other code reads it. Null: the machine's
 * time.
 */
export const clock: { at: Date | null } = { at: null }
/** The current moment, as written on documents. */
export const instant = (): string => (clock.at ?? new Date()).toISOString()
export const today = (): Day => dayOf(clock.at ?? new Date())

/** A month as it is written: 2026-01. */
export const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/

/** True if a string is an existing day: 2026-02-30 is not. */
export function isDay(text: unknown): text is Day {
  const match = typeof text === 'string' ? SHAPE.exec(text) : null
  if (!match) return false
  const date = new Date(Date.UTC(parseInteger(match[1]), parseInteger(match[2]) - 1, parseInteger(match[3])))
  return (
    date.getUTCFullYear() === parseInteger(match[1]) &&
    date.getUTCMonth() + 1 === parseInteger(match[2]) &&
    date.getUTCDate() === parseInteger(match[3])
  )
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/

/**
 * A moment of ISO 8601 with its zone, in UTC with milliseconds. Null: the text is no moment, names a day that does not
 * exist, or is not of the years 1 to 9999 in UTC.
 */
export function momentOf(text: unknown): string | null {
  const [, day] = (typeof text === 'string' ? MOMENT.exec(text) : null) ?? []
  const moment = isDay(day) ? new Date(text as string).toISOString() : null
  return moment !== null && isDay(moment.slice(0, 10)) ? moment : null
}

const utc = (day: Day): number => Date.parse(`${day}T00:00:00Z`)
/** The last day with a four-digit year. */
const lastDay = utc('9999-12-31' as Day)
export const addDays = (day: Day, days: number): Day =>
  new Date(Math.min(utc(day) + days * 86_400_000, lastDay)).toISOString().slice(0, 10) as Day
/** The same day so many years later; 29 February becomes the 28th where there is none. */
export function addYears(day: Day, years: number): Day {
  const later = `${String(parseInteger(day.slice(0, 4)) + years).padStart(4, '0')}${day.slice(4)}`
  return isDay(later) ? later : (`${later.slice(0, 8)}28` as Day)
}
/** The first day of the month of a day. */
export const monthBegin = (day: Day): Day => `${day.slice(0, 8)}01` as Day
/** The last day of the month of a day. */
export const monthEnd = (day: Day): Day => addDays(shiftMonths(monthBegin(day), 1), -1)
export const isLastOfMonth = (day: Day): boolean => addDays(day, 1).endsWith('-01')
/** The day so many months later: of a month that has no such day, the last. */
export function shiftMonths(day: Day, months: number): Day {
  const month = parseInteger(day.slice(0, 4)) * 12 + parseInteger(day.slice(5, 7)) - 1 + months
  const begin =
    `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01` as Day
  const same = addDays(begin, parseInteger(day.slice(8)) - 1)
  return monthBegin(same) === begin ? same : addDays(monthBegin(same), -1)
}
/** The Monday of the week of a day. */
export const weekBegin = (day: Day): Day => addDays(day, -((new Date(utc(day)).getUTCDay() + 6) % 7))
/** The moment at which a day begins in Asia/Shanghai. */
export const startOf = (day: Day): string => `${day}T00:00:00+08:00`
/** Whole days from `from` to `to`; negative when `to` is before. */
export const daysBetween = (from: Day, to: Day): number => Math.round((utc(to) - utc(from)) / 86_400_000)
/** The expiry day itself is still valid: goods are expired from the day after. */
export const isExpired = (expiry: Day | null, on: Day): boolean => expiry !== null && expiry < on
/** `yyMMdd`, as used in document numbers. */
export const compactDay = (day: Day): string => day.slice(2).replaceAll('-', '')

/** The operation log can be queried for at most this many days. */
export const LOG_DAYS = 92
