import { addDays, type Day, shiftMonths } from '#kernel/values/date.ts'
import type { Against, Grain, Range } from '#kernel/values/comparison.ts'
import { type Fields, type MoneyRight, rightsToRead } from '#kernel/definition/field.ts'
import { type AnyReport, columnField } from '#kernel/definition/report.ts'
import type { Screen } from '#kernel/definition/screen.ts'

/**
 * The days of a card: `today`, the days that its reader `asked` for, the `year` of months or the `month` of days that
 * end today; `now`: the present state.
 */
export type Span = 'today' | 'asked' | 'year' | 'month' | 'now'

/** The column with the period of a row, where a card reads by periods: a day, or a month as 2026-11. */
export const STEP = 'step'

/**
 * A reading of a report for a card: its rows summed, or some of its rows. The report is the one that people open as a
 * page, or a wall's own without one; the figure and the list behind it come from one statement.
 */
export type Reading = {
  readonly of: AnyReport
  readonly span: Span
  /** Its parameters, beside the days and the wall's own filters. */
  readonly where?: Readonly<Record<string, string>>
  /** Sums over all rows, or by these columns. The first that the reader may see orders them, the largest first. */
  readonly sums?: readonly string[]
  /** Different values of a column, or of several joined by +, by the name of the figure. */
  readonly counts?: Readonly<Record<string, string>>
  /** The largest value of a column in each group, by the name of the figure. */
  readonly maxima?: Readonly<Record<string, string>>
  /** One sum divided by another, by the name of the figure; nothing where that is 0. */
  readonly rates?: Readonly<Record<string, readonly [of: string, by: string]>>
  /** The median of a column in each group, by the name of the figure: hours. A group of few rows has none. */
  readonly medians?: Readonly<Record<string, string>>
  readonly by?: readonly string[]
  /** Groups whose sum is less are left out: a rate of few lines says nothing. */
  readonly least?: Readonly<Record<string, string>>
  /** Sums by the day, the week or the month of this column, in their order. */
  readonly step?: readonly [column: string, of: 'day' | 'week' | 'month']
  /** In place of sums: these columns of single rows, in the order of the report, or of `order` from the least on. */
  readonly rows?: readonly string[]
  readonly order?: string
  /** Most rows; the number of all is always known. */
  readonly take?: number
  /** The earlier periods for which the same figure is read. */
  readonly against?: readonly Against[]
  /** It is about the network: the platform reads it once as itself, and adds up no hospitals. */
  readonly network?: true
  /** The column that names the other organisation of an amount: the platform reads it if both let it. */
  readonly partner?: string
}

/** A figure of a card: a column of a reading, of its row with these values where it has several. */
export type WallFigure = {
  readonly label: string
  readonly of: string
  readonly column: string
  /** A count of rows has no column of its own. */
  readonly as?: 'count'
  readonly where?: Readonly<Record<string, string>>
  /** The tooltip: a sentence that says what the figure counts. Default: the hint of its column. */
  readonly hint?: string
  /** The list behind it, where its report has no page; `=name` is replaced by the parameter that it was read with. */
  readonly list?: { readonly kind: string; readonly with?: Readonly<Record<string, string>> }
  /** Shows the change against the period before beside 环比, where the reading has it. */
  readonly changes?: true
}

/** The drawing of a card. Names of readings are those of the card; labels and values are columns of their reports. */
export type Drawing =
  | { readonly form: 'numbers'; readonly figures: readonly WallFigure[] }
  | {
      readonly form: 'bars' | 'columns' | 'ring' | 'tiles' | 'areas'
      readonly of: string
      readonly label: string
      /** The first that the reader may see is drawn, the next is said beside it. */
      readonly values: readonly string[]
      /** Colours of labels that mean something: expired is red. */
      readonly tones?: Readonly<Record<string, Tone>>
      /** In the order of the choices of the label. */
      readonly inOrder?: true
      /** A tile flashes for ten seconds where this column grew since the reading before. */
      readonly flashes?: string
      /** The second figure is said beside the first, and not only where the first is hidden. */
      readonly says?: 'second'
      /** The text where the first figure has no value. */
      readonly nothing?: string
      /** The values above which the first figure, or the one named by `of`, is a warning or an alarm. */
      readonly alarms?: { readonly of?: string; readonly warning: string; readonly danger: string }
    }
  | {
      readonly form: 'lines'
      readonly series: readonly { readonly label: string; readonly of: string; readonly value: string }[]
      /** A period without rows is not known, and no zero. */
      readonly gaps?: true
    }
  /** Cells of which the report warns are drawn in that colour. */
  | {
      readonly form: 'list'
      readonly of: string
      readonly columns: readonly string[]
      readonly empty: string
      /** The title says how many rows there are. */
      readonly counted?: true
    }
  | { readonly form: 'gauge'; readonly part: WallFigure; readonly whole: WallFigure; readonly empty: string }
  /**
   * A river of stations: rows of `station`, `place`, `done`, `waiting` and `median_hours` to the next one; `kinds`
   * says of each which documents wait there, and in which states.
   */
  | { readonly form: 'stations'; readonly of: string; readonly kinds: string }
  /** A page of its room, drawn in the place of a card: `pages` of its contributions. */
  | { readonly form: 'own'; readonly page: string }
/** The meanings of colours on a wall; there are no others. */
export type Tone = 'brand' | 'calm' | 'info' | 'warning' | 'danger'

export type WallCard = {
  readonly name: string
  readonly title: string
  /** Its place on the grid of 24 columns and 12 rows: column, row, width, height. */
  readonly at: readonly [column: number, row: number, width: number, height: number]
  readonly reads: Readonly<Record<string, Reading>>
  readonly draws: Drawing
  /** The wall behind it; `with`: its filters, from columns of the row that is opened. */
  readonly leads?: { readonly to: string; readonly with?: Readonly<Record<string, string>> }
}

/** A wall: a page that is read from six metres and refreshes itself, without patients or names of doctors. */
export type WallDefinition = {
  readonly kind: string
  readonly screen: Screen
  /** Seconds between two readings. */
  readonly refresh: number
  /** Its filters, by the names in its address. */
  readonly filters: Fields
  /** The parameter of reports that a filter is, where it has another name. */
  readonly narrows?: Readonly<Record<string, string>>
  /** True if its reader chooses the days. */
  readonly ofDays: boolean
  /** A scanned box is followed on it. */
  readonly follows?: true
  /**
   * The wall from which it is opened: users who have that one have it. That one is shown while a required filter is
   * missing.
   */
  readonly overview?: string
  readonly cards: readonly WallCard[]
}

const PERSONAL = /patient|admission|doctor|surgeon/

/**
 * Declares a wall. It refuses a card that would show a person: a field that is masked or of a patient, or the name of
 * a doctor.
 */
export function defineWall(wall: WallDefinition): WallDefinition {
  for (const { name, reads } of wall.cards)
    for (const reading of Object.values(reads)) {
      const shown = [...(reading.rows ?? []), ...(reading.by ?? [])]
      const personal = shown.find(column => {
        const field = columnField(reading.of, column)
        return field?.masked === true || field?.patient === true || PERSONAL.test(column)
      })
      if (personal !== undefined) throw new Error(`the card ${name} of ${wall.kind} would show ${personal}`)
    }
  return wall
}

/** The wall's own reports: their statements are checked with the others, and no page has them. */
export const ownReports = (walls: readonly WallDefinition[]): readonly AnyReport[] => [
  ...new Set(
    walls.flatMap(({ cards }) =>
      cards.flatMap(({ reads }) => Object.values(reads).flatMap(({ of }) => (of.screens.length === 0 ? [of] : []))),
    ),
  ),
]

/** The number of days in a line of days, and of months in a year of months. */
const DAYS = 30
const MONTHS = 12

/** The months or days of a span, the last one today's. */
export function stepsOf(span: Span, today: Day): readonly string[] {
  if (span === 'month') return Array.from({ length: DAYS }, (_, at) => addDays(today, at - DAYS + 1))
  const months = [today.slice(0, 7)]
  while (months.length < MONTHS) months.unshift(shiftMonths(`${months[0]}-01` as Day, -1).slice(0, 7))
  return months
}

/** The days of a span, both included. */
export function daysOf(span: Span, asked: Range, today: Day): Range {
  if (span === 'asked') return asked
  if (span === 'today' || span === 'now') return { begin: today, end: today }
  const [first = today] = stepsOf(span, today)
  return { begin: (first.length === 7 ? `${first}-01` : first) as Day, end: today }
}

/** The grain by which the days of a span are compared: a day with the day before, whichever day of the month it is. */
export const grainOfSpan = (span: Span): Grain | null => (span === 'today' ? 'day' : null)

/**
 * The rights without which a figure of a reading does not leave the server, for an organisation of this type. A median
 * or a maximum is its column's; a rate of prices is no price, a rate of what was earned is.
 */
export function rightsOf(reading: Reading, figure: string, org: string): readonly MoneyRight[] {
  const { of, maxima = {}, medians = {}, rates = {} } = reading
  const needed = (name: string): readonly MoneyRight[] => {
    const field = columnField(of, name)
    return field ? rightsToRead(field, org) : []
  }
  const parts = rates[figure]
  if (parts === undefined) return needed(maxima[figure] ?? medians[figure] ?? figure)
  const [whole = []] = parts.map(needed).filter(rights => rights.includes('profit'))
  return whole
}

/** True where a figure of a reading is money. */
export const isMoney = (reading: Reading, figure: string): boolean => rightsOf(reading, figure, 'H').length > 0

/** The text in place of money that a reader may not see. */
export const MASKED = '***'

/** The rows read for a card, their number, and the same in earlier periods. */
export type Answer = {
  readonly rows: readonly Row[]
  readonly total: number
  readonly before: Readonly<Partial<Record<Against, readonly Row[]>>>
  /** With which days it is compared, in words. */
  readonly compared?: Readonly<Partial<Record<Against, string>>>
  /** The report's parameters under which it was read: the list behind it is asked for with the same. */
  readonly asked: Readonly<Record<string, string>>
  /** Why it was not read at all: it adds up over the organisation, and its reader is bound to a part of it. */
  readonly withheld?: string
}
export type Row = Readonly<Record<string, string | null>>
