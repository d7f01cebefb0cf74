import { columnField } from '#kernel/definition/report.ts'
import { measureOf } from '#kernel/measure/measure.ts'
import { listAddressOf } from '#web/shell/menu/screen-index.ts'
import type { Answer, Reading, Row, WallCard, WallDefinition, WallFigure } from '#kernel/wall/wall-definition.ts'
import { screenAddress } from '#kernel/definition/screen.ts'
import type { Day } from '#kernel/values/date.ts'
import { walls } from '#kernel/registry.ts'

/** The parameters that all walls of a session share, and those of a carousel. */
const KEPT = ['org', 'begin', 'end', 'carousel', 'dwell'] as const

/** The address of a wall with the parameters of the one before it, and its own filters. */
export function wallAddress(
  { screen }: WallDefinition,
  query: URLSearchParams,
  filters: Readonly<Record<string, string>> = {},
): string {
  const kept = new URLSearchParams(filters)
  for (const name of KEPT) if (query.has(name)) kept.set(name, query.get(name)!)
  const text = kept.toString()
  return text === '' ? screen.route : `${screen.route}?${text}`
}

/** The wall behind a card, or behind one of its rows; null where there is none. */
export function behind({ leads }: WallCard, query: URLSearchParams, row?: Row): string | null {
  const wall = leads && walls().find(({ kind }) => kind === leads.to)
  if (!wall) return null
  const named = Object.entries(leads.with ?? {}).flatMap(([name, column]) => {
    const value = row?.[column]
    return value ? [[name, value] as const] : []
  })
  // A wall of one department is opened from its row alone.
  const lacking = Object.entries(wall.filters).some(
    ([name, field]) => field.required && !named.some(([given]) => given === name),
  )
  return lacking ? null : wallAddress(wall, query, Object.fromEntries(named))
}

/** The list that a figure names, or the page of its measure: the rows there add up to the figure. */
function listElsewhere(reading: Reading, answer: Answer | undefined, { column, list }: WallFigure): string | null {
  const asked = answer?.asked ?? {}
  if (list !== undefined) {
    const given = Object.entries(list.with ?? {}).flatMap(([name, from]) => {
      const value = from.startsWith('=') ? asked[from.slice(1)] : from
      return value === undefined ? [] : [[name, value] as const]
    })
    return listAddressOf(list.kind, 'H', Object.fromEntries(given))
  }
  const measure = measureOf(columnField(reading.of, column), 'H', reading.where)
  if (measure === undefined) return null
  const days = Object.entries(asked).filter(([name]) => name === 'begin_date' || name === 'end_date')
  return listAddressOf(measure.of, 'H', { ...measure.where, ...Object.fromEntries(days) })
}

/**
 * The list behind a figure, under the parameters with which it was read: its rows are those that the figure counts.
 * Null where there is no page, or it cannot be narrowed to the figure.
 */
export function listOfFigure(
  { reads }: WallCard,
  answers: Readonly<Record<string, Answer>>,
  figure: WallFigure,
): string | null {
  const { of, where = {} } = figure
  const { of: report } = reads[of]!
  if (report.screens.length === 0) return listElsewhere(reads[of]!, answers[of], figure)
  const screen = report.screens.find(({ orgs }) => orgs.includes('H'))
  const isExact = Object.keys(where).every(name => name in report.parameters)
  return screen === undefined || !isExact ? null : screenAddress(screen, null, { ...answers[of]?.asked, ...where })
}

/** The ranges of days that a wall offers. */
export const ranges = { today: '今日', month: '本月', year: '本年' } as const
export type RangeName = keyof typeof ranges

export function rangeOf(name: RangeName, today: Day): { readonly begin: Day; readonly end: Day } {
  if (name === 'today') return { begin: today, end: today }
  return { begin: (name === 'month' ? `${today.slice(0, 8)}01` : `${today.slice(0, 5)}01-01`) as Day, end: today }
}

/** The name of a range of days, such as this month; null for others. */
export const rangeNamed = (begin: string, end: string, today: Day): RangeName | null =>
  (Object.keys(ranges) as RangeName[]).find(name => {
    const range = rangeOf(name, today)
    return range.begin === begin && range.end === end
  }) ?? null

/** The walls of a carousel: those that the address names, in its order. */
export const carouselOf = (query: URLSearchParams): readonly WallDefinition[] =>
  (query.get('carousel') ?? '').split(',').flatMap(name => walls().find(({ kind }) => kind === name) ?? [])

/** Seconds that a wall stays in a carousel: from 10 to 600, 30 where none are named. */
export const DWELL = { least: 10, most: 600, preset: 30 } as const
