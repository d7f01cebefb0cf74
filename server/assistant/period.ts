import { addDays, type Day, monthBegin, today, weekBegin } from '#kernel/values/date.ts'
import { parseInteger } from '#kernel/values/integer.ts'

export type Period = { readonly name: string; readonly begin: Day; readonly end: Day }

const named: readonly (readonly [RegExp, (now: Day) => Omit<Period, 'name'>])[] = [
  [/今天|今日|当天/, now => ({ begin: now, end: now })],
  [/昨天|昨日/, now => ({ begin: addDays(now, -1), end: addDays(now, -1) })],
  [/本周|这周|这个星期/, now => ({ begin: weekBegin(now), end: now })],
  [/上周|上个星期/, now => ({ begin: addDays(weekBegin(now), -7), end: addDays(weekBegin(now), -1) })],
  [/本月|这个月|当月/, now => ({ begin: monthBegin(now), end: now })],
  [/上月|上个月/, now => ({ begin: monthBegin(addDays(monthBegin(now), -1)), end: addDays(monthBegin(now), -1) })],
  [/今年|本年/, now => ({ begin: `${now.slice(0, 4)}-01-01` as Day, end: now })],
]
const LAST_DAYS = /(?:最近|近|过去)(\d{1,3})天/

/** The period that a question names, by today's calendar; null when it names none. */
export function periodIn(question: string, now: Day = today()): Period | null {
  const days = LAST_DAYS.exec(question)
  if (days) return { name: days[0], begin: addDays(now, 1 - parseInteger(days[1])), end: now }
  for (const [pattern, of] of named) {
    const found = pattern.exec(question)
    if (found) return { name: found[0], ...of(now) }
  }
  return null
}
