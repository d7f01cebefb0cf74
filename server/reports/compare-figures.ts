import { columnsWhenGrouped, type AnyReport } from '#kernel/definition/report.ts'
import { type Measure, measureOf } from '#kernel/measure/measure.ts'
import { reports } from '#kernel/registry.ts'
import type { Day } from '#kernel/values/date.ts'
import { compare, type Decimal, sum } from '#kernel/values/decimal.ts'
import { systemSession, type Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import { measured } from '#server/reports/measures.ts'
import { runReport } from '#server/reports/report.ts'

/** The days that are compared, both included. */
export type Days = { readonly begin_date: Day; readonly end_date: Day }

/** A place that shows a measure otherwise than its fact. */
export type Difference = {
  readonly measure: string
  readonly report: string
  /** `total` of the page, or the column by which it was grouped. */
  readonly place: string
  readonly value: Decimal | null
  readonly shown: Decimal
}

/** What was compared, and what differs. */
export type Compared = { readonly places: number; readonly differences: readonly Difference[] }

type Place = { readonly report: AnyReport; readonly column: string; readonly measure: Measure }

/** The columns of reports that show a measure to organisations of this type, asked for days alone. */
export const placesOf = (org: Session['org']): readonly Place[] =>
  reports().flatMap(report =>
    report.screens.some(({ orgs }) => orgs.includes(org.type)) && 'begin_date' in report.parameters
      ? Object.entries(report.columns).flatMap(([column, field]) => {
          const measure = measureOf(field, org.type)
          return measure && (report.totals as readonly string[] | undefined)?.includes(column)
            ? [{ report, column, measure }]
            : []
        })
      : [],
  )

/** Most groups that are summed to be compared with the total. */
const MOST_GROUPS = '200'

/**
 * Compares every place that shows a measure with the measure, for one organisation: the total of the page, and the sum
 * of its groups by each column by which it can be grouped.
 */
export async function compareFigures(tx: Tx, org: Session['org'], days: Days): Promise<Compared> {
  const session = systemSession(org)
  const places = placesOf(org)
  const values = await measured(tx, session, [...new Set(places.map(({ measure }) => measure))], days)
  const differences: Difference[] = []
  let compared = 0
  for (const { report, column, measure } of places) {
    const note = (place: string, shown: Decimal) => {
      compared += 1
      const value = values.get(measure.name) ?? null
      if (value === null || compare(value, shown) !== 0)
        differences.push({ measure: measure.name, report: report.kind, place, value, shown })
    }
    const { summary } = await runReport(tx, session, report, { ...days, pageSize: '1' })
    note('total', String(summary[column] ?? '0') as Decimal)
    for (const group of report.groupBy ?? []) {
      if (!(report.columns[group]?.orgs ?? org.type).includes(org.type)) continue
      if (!columnsWhenGrouped(report, [group]).includes(column)) continue
      const { list, total } = await runReport(tx, session, report, { ...days, group_by: group, pageSize: MOST_GROUPS })
      if (total > list.length) continue
      note(
        group,
        sum(
          list.map(row => String(row[column] ?? '0') as Decimal),
          2,
        ),
      )
    }
  }
  return { places: compared, differences }
}
