import { addDays, type Day, daysBetween, monthEnd, weekBegin } from '#kernel/values/date.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import type { Against, Range } from '#kernel/values/comparison.ts'
import { type Field, type FieldKind, type MoneyRight, rightsToRead } from '#kernel/definition/field.ts'
import { type AnyReport, columnField } from '#kernel/definition/report.ts'
import type { Screen } from '#kernel/definition/screen.ts'
import type { OrgType, OrgTypes } from '#kernel/values/organisation-type.ts'
import type { Reading, Tone } from '#kernel/wall/wall-definition.ts'

/** A reading of a board: like that of a wall, for the days that its reader asks for. */
export type BoardReading = Omit<Reading, 'span' | 'against'> & {
  /** Filters of the board that are other parameters of the report; null: one that it does not obey. */
  readonly takes?: Readonly<Record<string, string | null>>
  /** The platform reads it of each organisation of these types by itself, without money, and adds them up. */
  readonly each?: OrgTypes
}

/**
 * A level of a chart: its label, the columns with the name and key of a place, and the filter that a click on it sets.
 */
export type BoardLevel = {
  readonly label: string
  readonly name: string
  readonly key: string
  readonly filter: string
}

/** A figure that a reader may choose to see over time, by class and in a ranking. */
export type BoardMeasure = {
  readonly name: string
  readonly label: string
  readonly orgs: OrgTypes
  readonly reading: BoardReading
  /** The sum that is drawn. */
  readonly column: string
  /** The column with the day of a row. */
  readonly day: string
  /** From the widest to the finest. */
  readonly levels: readonly BoardLevel[]
  readonly ranks: BoardLevel
}

/** A number of the first card. */
export type BoardFigure = {
  readonly name: string
  readonly label: string
  readonly orgs: OrgTypes
  /** Missing for a figure that nobody records here yet. */
  readonly reading?: BoardReading
  readonly column?: string
  /** The format of its number, on the page and in exports. */
  readonly as: Extract<FieldKind, 'amount' | 'quantity' | 'count' | 'rate'> | 'days'
  /** It has no earlier value: it shows the present state. */
  readonly isNow?: true
  /** The note in place of a missing value: what the figure waits for. */
  readonly note?: string
  readonly hint?: string
  /** The list of records or documents behind it, where its report has no page. */
  readonly list?: { readonly kind: string; readonly with?: Readonly<Record<string, string>> }
}

/** A bar of a waterfall, or a line beside bars: one figure of one reading. */
export type BoardPart = {
  readonly label: string
  readonly of: string
  readonly column: string
  readonly list?: { readonly kind: string; readonly with?: Readonly<Record<string, string>> }
}

/** The drawing of a card. Names of readings are those of the card. */
export type BoardDrawing =
  | { readonly form: 'figures' }
  /** The chosen measure over time, the compared days dotted. */
  | { readonly form: 'trend' }
  /** The chosen measure as areas, level by level. */
  | { readonly form: 'tree' }
  /** The chosen measure by whom it is of, the largest first. */
  | { readonly form: 'ranking' }
  /** Pairs of places with lines between the provinces. `from` and `to` are columns with a division; null: one's own. */
  | {
      readonly form: 'map'
      readonly flows: readonly {
        readonly of: string
        readonly from: string | null
        readonly to: string | null
        readonly other: BoardLevel
        /** The row has both names: it connects two other places. */
        readonly pair?: readonly [from: string, to: string]
      }[]
      readonly value: string
    }
  /** Points: so many days, so much; the colour says how soon it expires. */
  | {
      readonly form: 'scatter'
      readonly of: string
      readonly level: BoardLevel
      readonly across: string
      /** The first that the reader may see. */
      readonly up: readonly string[]
      readonly expiry: string
    }
  | {
      readonly form: 'funnel'
      readonly of: string
      readonly values: readonly string[]
      readonly level: BoardLevel
      /** Bands from the widest to the narrowest, each within the one before it: the values that it holds. */
      readonly bands: readonly { readonly label: string; readonly tone: Tone; readonly of: readonly string[] }[]
    }
  | {
      readonly form: 'bars'
      readonly of: string
      readonly level: BoardLevel
      readonly value: string
      readonly as: 'days'
    }
  | { readonly form: 'waterfall'; readonly parts: readonly BoardPart[] }
  | { readonly form: 'combo'; readonly bars: readonly BoardPart[]; readonly line: BoardPart }
  /** Days as squares of a calendar. */
  | { readonly form: 'calendar' }
  /** Goods that flow from left to right: names of columns, each a station. */
  | { readonly form: 'sankey'; readonly of: string; readonly stations: readonly BoardLevel[]; readonly value: string }

export type BoardCard = {
  readonly name: string
  readonly title: string
  readonly orgs: OrgTypes
  /** The width in columns of twelve. */
  readonly width: number
  readonly reads: Readonly<Record<string, BoardReading>>
  readonly draws: BoardDrawing
  readonly hint?: string
}

/** A filter of a board. `onBar`: it can be chosen above the cards; the others are set by a click on a chart. */
export type BoardFilter = { readonly field: Field<string>; readonly onBar: boolean }

/** A board: cards of readings with filters of its own, a comparison, a measure to choose, and a way to the lists. */
export type BoardDefinition = {
  readonly kind: string
  readonly screen: Screen
  readonly filters: Readonly<Record<string, BoardFilter>>
  /** The filter by which the platform chooses one organisation. */
  readonly whose: string
  readonly figures: readonly BoardFigure[]
  readonly measures: readonly BoardMeasure[]
  readonly cards: readonly BoardCard[]
}

export const boardGrains = { month: '月', week: '周', day: '日' } as const
export type BoardGrain = keyof typeof boardGrains

/** The reader's choice on a board, beside its days and filters. */
export type BoardChoice = {
  readonly org: OrgType
  readonly against: Against | null
  readonly measure: BoardMeasure
  readonly grain: BoardGrain
  /** The depth in the tree. */
  readonly level: number
}

/** A reading that is to be run, with what it is compared with. */
export type BoardRun = BoardReading & { readonly against?: readonly Against[] }

/** Most areas of a tree and bars of a ranking; and more than there are days in two years. */
const MOST_AREAS = 60
const MOST_BARS = 20
const MOST_STEPS = 800

/** The readings of a card under a choice. */
export function readingsOf(
  board: BoardDefinition,
  { draws, reads }: BoardCard,
  choice: BoardChoice,
): Readonly<Record<string, BoardRun>> {
  const against = choice.against === null ? {} : { against: [choice.against] }
  const { measure, grain, level } = choice
  const { reading } = measure
  switch (draws.form) {
    case 'figures':
      return Object.fromEntries(
        figuresFor(board, choice.org).flatMap(({ name, reading: own, isNow }) =>
          own === undefined ? [] : [[name, isNow ? own : { ...own, ...against }] as const],
        ),
      )
    case 'trend':
      return { all: { ...reading, step: [measure.day, grain], take: MOST_STEPS, ...against } }
    case 'calendar':
      return { all: { ...reading, step: [measure.day, 'day'], take: MOST_STEPS } }
    case 'tree': {
      const at = measure.levels[Math.min(level, measure.levels.length - 1)]!
      return { all: { ...reading, by: columnsOf(at), take: MOST_AREAS } }
    }
    case 'ranking':
      return { all: { ...reading, by: columnsOf(measure.ranks), take: MOST_BARS, ...against } }
    case 'waterfall':
    case 'combo':
      return Object.fromEntries(Object.entries(reads).map(([name, own]) => [name, { ...own, ...against }]))
    default:
      return reads
  }
}

const columnsOf = ({ name, key }: BoardLevel): readonly string[] => [...new Set([name, key])]

export const cardsFor = ({ cards }: BoardDefinition, org: OrgType): readonly BoardCard[] =>
  cards.filter(({ orgs }) => orgs.includes(org))
export const figuresFor = ({ figures }: BoardDefinition, org: OrgType): readonly BoardFigure[] =>
  figures.filter(({ orgs }) => orgs.includes(org))
export const filtersFor = ({ filters }: BoardDefinition, org: OrgType): Readonly<Record<string, BoardFilter>> =>
  Object.fromEntries(Object.entries(filters).filter(([, { field }]) => field.orgs?.includes(org) ?? true))

/** The rights without which a measure is not read, for an organisation of this type. */
export const rightsOfMeasure = ({ reading, column }: BoardMeasure, org: OrgType): readonly MoneyRight[] => {
  const field = columnField(reading.of, column)
  return field ? rightsToRead(field, org) : []
}

/** The measures of an organisation that a user may see. */
export const measuresFor = (
  { measures }: BoardDefinition,
  org: OrgType,
  may: (right: MoneyRight) => boolean,
): readonly BoardMeasure[] =>
  measures.filter(measure => measure.orgs.includes(org) && rightsOfMeasure(measure, org).every(may))

/** The parameter of its report that a filter is to a reading; null where it obeys none. */
export function parameterOf({ of, takes = {} }: BoardReading, filter: string): string | null {
  const name = filter in takes ? takes[filter]! : filter
  return name !== null && name in of.parameters ? name : null
}

/** Most months that a board may be asked for. */
const MOST_MONTHS = 24
export const TOO_LONG = `查询时间范围不能超过${MOST_MONTHS}个月`

/** Why these days cannot be answered; null where they can. */
export function refusedDays({ begin, end }: Range): string | null {
  if (begin > end) return '开始日期不能大于结束日期'
  const last = `${parseInteger(begin.slice(0, 4)) + MOST_MONTHS / 12}${begin.slice(4)}`
  return end >= last ? TOO_LONG : null
}

/** The days of a period that is written as a chart writes it: 2026, 2026-11, 2026-W48, 2026-11-05; null for others. */
export function daysOfStep(step: string): Range | null {
  if (/^\d{4}-\d{2}-\d{2}$/.test(step)) return { begin: step as Day, end: step as Day }
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(step)) {
    const begin = `${step}-01` as Day
    return { begin, end: monthEnd(begin) }
  }
  const [, year, week] = /^(\d{4})-W(\d{2})$/.exec(step) ?? []
  if (year === undefined || week === undefined) return null
  // The first week of a year is that of its fourth of January.
  const begin = addDays(weekBegin(`${year}-01-04` as Day), (parseInteger(week) - 1) * 7)
  return { begin, end: addDays(begin, 6) }
}

/** The days of a period, as far as they are among those asked for. */
export function daysWithin(range: Range, step: string | undefined): Range {
  const days = step === undefined ? null : daysOfStep(step)
  if (days === null) return range
  const begin = days.begin > range.begin ? days.begin : range.begin
  const end = days.end < range.end ? days.end : range.end
  return begin > end ? range : { begin, end }
}

/** The notation of the period of a day. */
function stepOf(day: Day, grain: BoardGrain): string {
  if (grain === 'day') return day
  if (grain === 'month') return day.slice(0, 7)
  const monday = weekBegin(day)
  const year = addDays(monday, 3).slice(0, 4)
  const week = daysBetween(weekBegin(`${year}-01-04` as Day), monday) / 7 + 1
  return `${year}-W${String(week).padStart(2, '0')}`
}

/** The periods of some days, in order. */
export function stepsWithin({ begin, end }: Range, grain: BoardGrain): readonly string[] {
  const steps = new Set<string>()
  const stride = grain === 'day' ? 1 : grain === 'week' ? 7 : 28
  for (let day = begin; day <= end; day = addDays(day, stride)) steps.add(stepOf(day, grain))
  steps.add(stepOf(end, grain))
  return [...steps]
}

/** Up to so many days, a trend shows each of them while nobody chose. */
const SHOWN_BY_DAY = 45
export const standardGrain = ({ begin, end }: Range): BoardGrain =>
  daysBetween(begin, end) < SHOWN_BY_DAY ? 'day' : 'month'

/** The board's own reports: their statements are checked with the others, and no page has them. */
export const boardReports = (boards: readonly BoardDefinition[]): readonly AnyReport[] => [
  ...new Set(
    boards
      .flatMap(({ cards, figures, measures }) => [
        ...cards.flatMap(({ reads }) => Object.values(reads)),
        ...figures.flatMap(({ reading }) => reading ?? []),
        ...measures.map(({ reading }) => reading),
      ])
      .flatMap(({ of }) => (of.screens.length === 0 ? [of] : [])),
  ),
]

const PERSONAL = /patient|admission|doctor|surgeon/

/** Declares a board. As a wall, it refuses what would show a person. */
export function defineBoard(board: BoardDefinition): BoardDefinition {
  const levels = [
    ...board.measures.flatMap(({ levels: all, ranks }) => [...all, ranks]),
    ...board.cards.flatMap(({ draws }) => ('level' in draws ? [draws.level] : [])),
  ]
  const shown = [
    ...levels.flatMap(({ name, key }) => [name, key]),
    ...board.cards.flatMap(({ reads }) => Object.values(reads).flatMap(({ rows = [], by = [] }) => [...rows, ...by])),
  ]
  const personal = shown.find(column => PERSONAL.test(column))
  if (personal !== undefined) throw new Error(`${board.kind} would show ${personal}`)
  const unknown = levels.find(({ filter }) => !(filter in board.filters))
  if (unknown !== undefined) throw new Error(`${board.kind} has no filter ${unknown.filter}`)
  return board
}
