import { isDay } from '#kernel/values/date.ts'
import { parseInteger } from '#kernel/values/integer.ts'
/** Calendar days as written in scan codes: six or eight digits, a guessed century, sometimes no day. */

/** A day read from a code. `day` is YYYY-MM-DD; with `dayKnown` false it is the last day of the printed month. */
export interface ScanDay {
  readonly day: string
  readonly dayKnown: boolean
}

/** Anchor of the year window when the caller gives no day; the parser does not read the clock. */
const ANCHOR = '2026-01-01'

function lastDayOfMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

function format(year: number, month: number, day: number): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** The reference day for dates: the caller's `today` when valid, else a fixed anchor. */
export function referenceDay(today: string | undefined): string {
  return today !== undefined && isDay(today) ? today : ANCHOR
}

function build(year: number, month: number, day: number): ScanDay | null {
  if (year < 1 || month < 1 || month > 12) return null
  const last = lastDayOfMonth(year, month)
  if (day > last) return null
  return { day: format(year, month, day === 0 ? last : day), dayKnown: day !== 0 }
}

/** Two-digit years fall in the window from 49 years back to 50 years ahead of `today`. */
function fullYear(yy: number, today: string): number {
  const year = parseInteger(today.slice(0, 4))
  const century = year - (year % 100)
  const distance = yy - (year % 100)
  if (distance >= 51) return century - 100 + yy
  if (distance <= -50) return century + 100 + yy
  return century + yy
}

/** Reads YYMMDD (day 00 allowed), or null when it is not a valid day. */
export function readYymmdd(digits: string, today: string): ScanDay | null {
  if (!/^\d{6}$/.test(digits)) return null
  return build(
    fullYear(parseInteger(digits.slice(0, 2)), today),
    parseInteger(digits.slice(2, 4)),
    parseInteger(digits.slice(4)),
  )
}

/** Reads YYMMDD or YYYYMMDD; MA codes use both. */
export function readShortOrLongDay(digits: string, today: string): ScanDay | null {
  if (!/^\d{8}$/.test(digits)) return readYymmdd(digits, today)
  return build(parseInteger(digits.slice(0, 4)), parseInteger(digits.slice(4, 6)), parseInteger(digits.slice(6)))
}

/** The six digits a label prints for a YYYY-MM-DD day, or null when `day` is not valid. */
export function yymmdd(day: string): string | null {
  return isDay(day) ? day.slice(2, 4) + day.slice(5, 7) + day.slice(8) : null
}

/** The day before a YYYY-MM-DD day. */
export function dayBefore(day: string): string {
  const [year, month, date] = [day.slice(0, 4), day.slice(5, 7), day.slice(8)].map(parseInteger) as [
    number,
    number,
    number,
  ]
  if (date > 1) return format(year, month, date - 1)
  if (month > 1) return format(year, month - 1, lastDayOfMonth(year, month - 1))
  return format(year - 1, 12, 31)
}

/** `day` moved by whole years, as text; accurate enough for windows, not for birthdays. */
export function yearsFrom(day: string, years: number): string {
  return String(parseInteger(day.slice(0, 4)) + years).padStart(4, '0') + day.slice(4)
}
