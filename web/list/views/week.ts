import { addDays, type Day, dayOf, isDay, today } from '#kernel/values/date.ts'
import type { ScreenView } from '#kernel/definition/screen.ts'
import { isEmpty, type Row } from '#web/fields/field-renderer.ts'

const DAYS = 7
const NAMES = ['日', '一', '二', '三', '四', '五', '六'] as const
const weekdayOf = (day: Day): number => new Date(`${day}T00:00:00Z`).getUTCDay()

/** The seven days of the week that a day is in, from Monday. */
export function weekOf(day: Day): readonly Day[] {
  const monday = addDays(day, -((weekdayOf(day) + 6) % DAYS))
  return Array.from({ length: DAYS }, (_, at) => addDays(monday, at))
}
/** The week that an address names; this week where it names none. */
export const askedWeek = (asked: string | undefined): readonly Day[] => weekOf(isDay(asked) ? asked : today())
/** 11-26 周四 */
export const dayName = (day: Day): string => `${day.slice(5)} 周${NAMES[weekdayOf(day)]}`
export const weekName = (days: readonly Day[]): string => `${days[0]} 至 ${days.at(-1)}`

/** The day of a row; null where its moment is unknown. */
export const dayOfRow = (view: ScreenView, row: Row): Day | null =>
  isEmpty(row[view.at]) ? null : dayOf(new Date(String(row[view.at])))

/** The same time of another day, in Chinese local time. */
export const onDay = (moment: unknown, from: Day, to: Day): string => {
  const shift = Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)
  return new Date(Date.parse(String(moment)) + shift).toISOString()
}

/** The lanes of a row: one for each of its codes, or for the person it names; '' is nobody's. */
export function lanesOfRow(view: ScreenView, row: Row): readonly string[] {
  if (view.lanes === undefined) return ['']
  const value = row[view.lanes.by]
  if (isEmpty(value)) return ['']
  return Array.isArray(value) ? value.map(String) : [String(value)]
}

/** The lane field after a card was carried from one lane into another: of a list, that code alone is replaced. */
export function carried(view: ScreenView, row: Row, from: string, to: string): unknown {
  const value = row[view.lanes!.by]
  if (!Array.isArray(value)) return to
  return [...new Set([...value.map(String).filter(code => code !== from), to])]
}
