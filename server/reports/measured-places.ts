import { type AnyReport, columnField } from '#kernel/definition/report.ts'
import { type Measure, measureOf } from '#kernel/measure/measure.ts'
import { boards, reports, walls } from '#kernel/registry.ts'
import { type Day, isLastOfMonth, today } from '#kernel/values/date.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import type { Reading } from '#kernel/wall/wall-definition.ts'
import type { MeasuredDays } from '#server/reports/measures.ts'

/** A column of a report that shows a measure to organisations of a type. */
export type Place = { readonly report: AnyReport; readonly column: string; readonly measure: Measure }

/** The parameters of a report beside the days, by which a column of it is the measure. */
const wheresOf = ({ parameters }: AnyReport, { where = {} }: Measure): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(where).filter(([name]) => name in parameters))

/** The measures that a column shows to this type: the first, and those that the report is asked for by a parameter. */
function measuresOf(report: AnyReport, column: string, org: OrgType): readonly Measure[] {
  const field = columnField(report, column)
  const first = measureOf(field, org)
  if (first === undefined) return []
  const others = (field?.measures ?? []).filter(
    measure => measure !== first && measure.orgs.includes(org) && Object.keys(wheresOf(report, measure)).length > 0,
  )
  return [first, ...others]
}

/** Every column that shows a measure to organisations of this type: of their pages, and of rows that walls read. */
export const placesOf = (org: OrgType): readonly Place[] =>
  reports().flatMap(report =>
    report.screens.length === 0 || report.screens.some(({ orgs }) => orgs.includes(org))
      ? Object.keys(report.columns).flatMap(column =>
          measuresOf(report, column, org).map(measure => ({ report, column, measure })),
        )
      : [],
  )

/** The measures that any page shows to organisations of this type, each once. */
export const measuresFor = (org: OrgType): readonly Measure[] => [
  ...new Map(placesOf(org).map(({ measure }) => [measure.name, measure])).values(),
]

/** The parameters of a report for these days and no others; null where it cannot be asked for them alone. */
export function askedFor(
  { parameters }: AnyReport,
  days: MeasuredDays,
  where: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> | null {
  const { begin_date, end_date } = days
  const isMonth = begin_date.endsWith('-01') && begin_date.slice(0, 7) === end_date.slice(0, 7)
  const isNow = end_date === today()
  const given: Readonly<Record<string, string>> | null =
    'begin_date' in parameters
      ? days
      : 'period' in parameters
        ? isMonth && (isNow || isLastOfMonth(end_date))
          ? { period: end_date.slice(0, 7) }
          : null
        : 'end_date' in parameters
          ? { end_date }
          : isNow
            ? {}
            : null
  if (given === null) return null
  const asked = { ...given, ...where }
  const isWhole = Object.entries(parameters).every(([name, { required }]) => !required || name in asked)
  return isWhole ? asked : null
}

/** The parameters of a place for these days; null where it cannot be asked for them alone. */
export const askedOf = ({ report, measure }: Place, days: MeasuredDays): Readonly<Record<string, string>> | null =>
  askedFor(report, days, wheresOf(report, measure))

/** A reading of a wall or of a board whose column is a measure. */
export type MeasuredReading = {
  readonly of: string
  readonly reading: Reading
  readonly column: string
  readonly measure: Measure
}

/** The readings of measures by walls and boards of this type, each once. */
export function readingsOf(org: OrgType): readonly MeasuredReading[] {
  const shown = walls().filter(({ screen }) => screen.orgs.includes(org))
  const ofWalls = shown.flatMap(({ kind, cards }) =>
    cards.flatMap(({ reads }) =>
      Object.values(reads).map(({ against: _against, ...reading }) => ({ of: kind, reading })),
    ),
  )
  const mine = <E extends { readonly orgs: string }>(all: readonly E[]) => all.filter(({ orgs }) => orgs.includes(org))
  const ofBoards = boards().flatMap(({ kind, figures, measures, cards }) =>
    [
      ...mine(figures).flatMap(({ reading }) => reading ?? []),
      ...mine(measures).map(({ reading, day, column }) => ({
        ...reading,
        sums: [column],
        step: [day, 'month'] as const,
      })),
      ...mine(cards).flatMap(({ reads }) => Object.values(reads)),
    ].map(({ takes: _takes, each: _each, ...reading }) => ({
      of: kind,
      reading: { ...reading, span: 'asked' as const },
    })),
  )
  const all = [...ofWalls, ...ofBoards].flatMap(({ of, reading }: { readonly of: string; readonly reading: Reading }) =>
    (reading.sums ?? []).flatMap(column => {
      const measure = measureOf(columnField(reading.of, column), org, reading.where)
      const narrowed = Object.keys(reading.where ?? {}).some(name => !(name in (measure?.where ?? {})))
      return measure === undefined || narrowed ? [] : [{ of, reading, column, measure }]
    }),
  )
  const keyOf = ({ of, reading, column }: MeasuredReading) =>
    JSON.stringify([of, { ...reading, of: reading.of.kind }, column])
  return [...new Map(all.map(each => [keyOf(each), each])).values()]
}

/** The days of a reading that are known beforehand: those that are asked for. */
export const isAsked = ({ reading: { span } }: MeasuredReading): boolean => span === 'asked'

/** Today's figures stand beside those of days that end today. */
export const isRunning = ({ end_date }: { readonly end_date: Day }): boolean => end_date === today()
