import { addDays, clock, type Day } from '#kernel/values/date.ts'
import { parseInteger } from '#kernel/values/integer.ts'

/** The demo's half year, counted in days before the day it is loaded. */
export type Calendar = {
  readonly loadDay: Day
  /** The day so many days before the load day. */
  readonly ago: (days: number) => Day
  /** Sets the one clock of the program to an hour of a day, never beyond the real current time. */
  readonly set: (day: Day, hour: number) => void
}

/** Days before the load day on which stores go live; trade begins on the next. */
export const OPENING = 185

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
