import { addDays, type Day } from '#kernel/values/date.ts'
import { parseInteger } from '#kernel/values/integer.ts'

/** How often a scheduled task runs. */
export const schedules = { daily: '每天', weekly: '每周', monthly: '每月' } as const
export type Schedule = keyof typeof schedules

/** The next due day after `day`; a month without that day uses its last day. */
export function nextDue(schedule: Schedule, day: Day): Day {
  if (schedule === 'daily') return addDays(day, 1)
  if (schedule === 'weekly') return addDays(day, 7)
  const [year, month, date] = day.split('-').map(parseInteger) as [number, number, number]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const next = new Date(Date.UTC(year, month, Math.min(date, last)))
  return next.toISOString().slice(0, 10) as Day
}

/** The last whole period before a day: yesterday, the seven days before, or the month before. */
export function lastPeriod(schedule: Schedule, day: Day): { readonly begin: Day; readonly end: Day } {
  if (schedule === 'daily') return { begin: addDays(day, -1), end: addDays(day, -1) }
  if (schedule === 'weekly') return { begin: addDays(day, -7), end: addDays(day, -1) }
  const end = addDays(`${day.slice(0, 8)}01` as Day, -1)
  return { begin: `${end.slice(0, 8)}01` as Day, end }
}
