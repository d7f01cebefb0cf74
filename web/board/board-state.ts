import { type BoardCard, type BoardDefinition, daysWithin, filtersFor } from '#kernel/wall/board-definition.ts'
import { STEP } from '#kernel/wall/wall-definition.ts'
import { type Day, today } from '#kernel/values/date.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import type { Range } from '#kernel/values/comparison.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import type { Query } from '#web/engine/page-context.ts'

/** A part of the board that somebody clicked on: the card that it is on, and the filter that it sets for all others. */
export type Cross = {
  readonly card: string
  readonly filter: string
  readonly value: string
  readonly label: string
  readonly text: string
}
/** A step down the tree: what was opened, and how it narrows the tree. */
export type Step = { readonly filter: string; readonly value: string; readonly text: string }

const CROSS = 'x_'
const PATH = 'p_'
const PERIOD_LABEL = '期间'

/** The chosen days: this month by default. */
export function daysAsked(query: Query): Range {
  const now = today()
  return { begin: (query.begin_date || `${now.slice(0, 8)}01`) as Day, end: (query.end_date || now) as Day }
}

/** The crosses in the address. */
export function crossesOf(board: BoardDefinition, query: Query): readonly Cross[] {
  return Object.entries(query).flatMap(([name, text]): readonly Cross[] => {
    if (!name.startsWith(CROSS) || name.endsWith('~')) return []
    const filter = name.slice(CROSS.length)
    const at = text.indexOf(':')
    if (at < 0) return []
    const label = filter === STEP ? PERIOD_LABEL : board.filters[filter]?.field.label
    const value = text.slice(at + 1)
    if (label === undefined || value === '') return []
    return [{ card: text.slice(0, at), filter, value, label, text: query[`${name}~`] ?? value }]
  })
}

/** The level of the tree in the address. */
export const pathOf = (query: Query): readonly Step[] =>
  Object.entries(query)
    .flatMap(([name, value]) => {
      const [, place, filter] = /^p_(\d)_(.+[^~])$/.exec(name) ?? []
      return place === undefined || filter === undefined
        ? []
        : [{ place: parseInteger(place), filter, value, text: query[`${name}~`] ?? value }]
    })
    .toSorted((a, b) => a.place - b.place)
    .map(({ filter, value, text }) => ({ filter, value, text }))

/** The parameters of the address for a click on a part of a card: a second click on the same part takes it back. */
export function crossed(query: Query, { card, filter, value, text }: Omit<Cross, 'label'>) {
  const name = CROSS + filter
  const isSame = query[name] === `${card}:${value}`
  return { [name]: isSame ? undefined : `${card}:${value}`, [`${name}~`]: isSame ? undefined : text }
}
export const uncrossed = (filter: string) => ({ [CROSS + filter]: undefined, [`${CROSS}${filter}~`]: undefined })

/** A level further down the tree, or up again to so many levels. */
export const down = (path: readonly Step[], { filter, value, text }: Step) => ({
  [`${PATH}${path.length}_${filter}`]: value,
  [`${PATH}${path.length}_${filter}~`]: text,
})
export const up = (path: readonly Step[], levels: number) =>
  Object.fromEntries(
    path.flatMap(({ filter }, at) =>
      at < levels ? [] : [`${PATH}${at}_${filter}`, `${PATH}${at}_${filter}~`].map(name => [name, undefined] as const),
    ),
  )

/**
 * The parameters of a card's request: the days and filters of the bar, the crosses of other cards, and on the tree the
 * way down. A card is not narrowed by its own cross.
 */
export function cardAsked(
  board: BoardDefinition,
  org: OrgType,
  card: BoardCard,
  query: Query,
): Readonly<Record<string, string>> {
  const bar = Object.keys(filtersFor(board, org)).flatMap(name => (query[name] ? [[name, query[name]] as const] : []))
  const others = crossesOf(board, query).filter(cross => cross.card !== card.name)
  const path = card.draws.form === 'tree' ? pathOf(query) : []
  const days = daysWithin(daysAsked(query), others.find(({ filter }) => filter === STEP)?.value)
  return {
    begin_date: days.begin,
    end_date: days.end,
    ...Object.fromEntries(['against', 'measure', 'grain'].flatMap(name => (query[name] ? [[name, query[name]!]] : []))),
    ...Object.fromEntries(bar),
    ...Object.fromEntries(others.flatMap(({ filter, value }) => (filter === STEP ? [] : [[filter, value] as const]))),
    ...Object.fromEntries(path.map(({ filter, value }) => [filter, value] as const)),
    ...(path.length === 0 ? {} : { level: String(path.length) }),
  }
}

/** The parameters of the whole board, for its workbook: every cross narrows it. */
export function boardAsked(board: BoardDefinition, org: OrgType, query: Query): Readonly<Record<string, string>> {
  const tree = board.cards.find(({ draws }) => draws.form === 'tree')
  const none = { ...(tree ?? board.cards[0]!), name: '' }
  return cardAsked(board, org, none, query)
}
