import { addDays, type Day } from '#kernel/values/date.ts'
import { parseInteger } from '#kernel/values/integer.ts'

/** The first and last day of the uses to settle. */
export type Period = { readonly begin: string; readonly end: string }

/** The first day of the month a number of months earlier. */
const monthBefore = (day: Day, months: number): Day => {
  const at = parseInteger(day.slice(0, 4)) * 12 + parseInteger(day.slice(5, 7)) - 1 - months
  return `${String(Math.floor(at / 12))}-${String((at % 12) + 1).padStart(2, '0')}-01` as Day
}

/** 月结算日: without a given period, the one that ended last. From 29 on it is the last day of each month. */
export function lastPeriod(day: Day, closes: number): Period {
  const closing = (months: number): Day =>
    closes >= 29 ? addDays(monthBefore(day, months - 1), -1) : addDays(monthBefore(day, months), closes - 1)
  const steps = closing(0) <= day ? 0 : 1
  return { begin: addDays(closing(steps + 1), 1), end: closing(steps) }
}
