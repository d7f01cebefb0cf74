import { addDays, clock, type Day } from '#kernel/values/date.ts'
import { parseInteger } from '#kernel/values/integer.ts'

/** The demo's twelve months, counted in days before the day it is loaded. */
export type Calendar = {
  readonly loadDay: Day
  /** The day so many days before the load day. */
  readonly ago: (days: number) => Day
  /** Sets the one clock of the program to an hour of a day, never beyond the real current time. */
  readonly set: (day: Day, hour: number) => void
}

/** Days before the load day on which stores go live; trade begins on the next: one report of a year shows all. */
export const OPENING = 364
/** Days before the load day since which everything regular happens at its full pace; before it half as often. */
export const FULL_PACE = 185

/** One time of something regular. */
export type Round = {
  readonly daysAgo: number
  /** Days until it happens again. */
  readonly every: number
  /** 0 is the first at full pace; those before it are negative. */
  readonly number: number
}

/**
 * The days of something that happens every so many days since `from`, at the latest `until` days before the load day:
 * and at half that pace in the first half of the demo, which begins as long after the opening as `from` is after
 * `FULL_PACE`. A year of the demo so costs half as much again as half a year, and no month of it is empty.
 */
export function rounds(from: number, every: number, until: number): Round[] {
  const slow = 2 * every
  const first = OPENING - (FULL_PACE - from)
  const early = Math.floor((first - from) / slow)
  return [
    ...Array.from({ length: early }, (_, at) => ({
      daysAgo: Math.round(first - ((first - from) / early) * at),
      every: slow,
      number: at - early,
    })),
    ...Array.from({ length: Math.max(0, Math.floor((from - until) / every) + 1) }, (_, number) => ({
      daysAgo: from - every * number,
      every,
      number,
    })),
  ]
}

/**
 * The activity of a hospital in each month, against its average: little is planned around the Spring Festival, and the
 * winter brings more patients.
 */
const SEASONS = [1.1, 0.78, 1.04, 1.0, 0.98, 0.96, 0.93, 0.94, 1.0, 0.98, 1.08, 1.18]
export const seasonOf = (day: Day): number => SEASONS[parseInteger(day.slice(5, 7)) - 1] ?? 1

export function openCalendar(loadDay: Day, now: Date): Calendar {
  return {
    loadDay,
    ago: days => addDays(loadDay, -days),
    set: (day, hour) => {
      const wanted = Date.parse(`${day}T00:00:00+08:00`) + hour * 3_600_000
      clock.at = new Date(Math.min(wanted, now.getTime() - 60_000))
    },
  }
}

/** An instant of a day in Asia/Shanghai, as written on documents. */
export const instantOf = (day: Day, time: string): string => new Date(`${day}T${time}:00+08:00`).toISOString()
export const monthOf = (day: Day): string => day.slice(0, 7)
export const firstOfNext = (month: string): Day => {
  const [year = 0, number = 0] = month.split('-').map(parseInteger)
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10) as Day
}
/** The preceding Friday when the day falls on a weekend. */
export function workingDay(day: Day): Day {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return weekday === 6 ? addDays(day, -1) : weekday === 0 ? addDays(day, -2) : day
}
